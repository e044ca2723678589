import JSONText
import Testing
import WireTesting

@Suite struct `What clients add to the schema` {
    @Test(arguments: TestDatabase.all)
    func `beyond the limits is refused in words, and nothing is written`(on database: TestDatabase) async throws {
        let lines = ["autoCreateTables: true", "limits: { clientColumns: 2, clientTables: 1 }"]
        try await TestServer.with(on: database, lines: lines) { server in
            let client = try WireClient(port: server.port)
            let version = ["ZUMO-API-VERSION: 2.0.0"]
            func insert(_ table: String, _ body: String) throws -> (code: Int, error: String?) {
                let answer = try client.exchange("POST", "/tables/\(table)", body, version)
                return (answer.code, answer.code < 300 ? nil : try answer.row["error"]?.text)
            }
            let wide = try insert("made", #"{"id":"a","one":1,"two":2,"three":3}"#)
            #expect(wide.code == 400)
            #expect(
                wide.error == "Clients may add at most 2 columns to a table; with this row's there would be more.")
            #expect(try insert("made", #"{"id":"a","one":1,"two":2}"#).code == 201)
            #expect(try insert("made", #"{"id":"b","three":3}"#).code == 400)
            #expect(try insert("made", #"{"id":"b","two":3}"#).code == 201)
            let second = try insert("another", #"{"id":"a"}"#)
            #expect(second.code == 400)
            #expect(second.error == "Clients may make at most 1 tables, and so many are there.")
        }
    }
}
