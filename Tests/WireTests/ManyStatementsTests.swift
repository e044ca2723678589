import Testing
import WireTesting

@Suite struct `A server that has run many statements` {
    /// More than a connection keeps prepared, and each of another form.
    private static let filters = (0..<1_296).map { number in
        let operators = ["eq", "ne", "gt", "ge", "lt", "le"]
        let digits = [number % 6, number / 6 % 6, number / 36 % 6, number / 216]
        return digits.map { "n%20\(operators[$0])%20\($0)" }.joined(separator: "%20and%20")
    }

    @Test(arguments: TestDatabase.all)
    func `counts the rows of a list for the first time`(on database: TestDatabase) async throws {
        let lines = ["database: { connections: 1 }"]
        let files = ["tables/many.yaml": "columns: { n: number }\n"]
        try await TestServer.with(on: database, lines: lines, files: files) { server in
            let client = try WireClient(port: server.port)
            let fields = ["ZUMO-API-VERSION: 2.0.0"]
            for filter in Self.filters {
                let list = try client.exchange("GET", "/tables/many?$filter=\(filter)", "", fields)
                try #require(list.code == 200, "\(list.text)")
            }
            let counted = try client.exchange("GET", "/tables/many?$inlinecount=allpages", "", fields)
            #expect(counted.code == 200 && counted.text == #"{"results":[],"count":0}"#, "\(counted.text)")
        }
    }
}
