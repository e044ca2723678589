import Testing
import WireTesting

@Suite(.serialized) struct `Lists that take long` {
    /// A list of many thousand searches in long texts, which takes seconds; with few terms and texts that the database
    /// makes long, as a program built for debugging takes long to read them.
    private static let slow: String = {
        let long = (0..<2).reduce("text") { text, _ in "concat(\(text),\(text))" }
        let terms = (0..<30).map { "indexof(tolower(concat(\(long),'\($0)')),'z\($0)') ge 0" }
        let filter = terms.joined(separator: " or ").replacing(" ", with: "%20").replacing("'", with: "%27")
        return "/tables/todo?$top=1&$select=id&$filter=\(filter)"
    }()
    private static let quick = "/tables/hard?$top=1"

    private static func fill(_ server: TestServer) throws {
        let client = try WireClient(port: server.port)
        let text = String(repeating: "a", count: 20_000)
        for number in 0..<250 {
            let row = #"{"id":"r\#(number)","text":"\#(text)"}"#
            try #require(try client.exchange("POST", "/tables/todo", row).code == 201)
        }
        try #require(try client.exchange("POST", "/tables/hard", #"{"id":"one"}"#).code == 201)
    }

    private static func from(_ address: String) -> [String] { ["X-Forwarded-For: \(address)"] }

    /// Asks for slow lists and doesn't wait for the answers.
    private static func askSlowly(_ server: TestServer, from addresses: [String]) throws -> [WireClient] {
        try addresses.map { address in
            let client = try WireClient(port: server.port)
            try client.send(WireClient.request("GET", slow, "", from(address)))
            return client
        }
    }

    @Test(arguments: TestDatabase.all)
    func `are given up where their clients have hung up`(on database: TestDatabase) async throws {
        try await TestServer.with(on: database) { server in
            try Self.fill(server)
            _ = try Self.askSlowly(server, from: [String](repeating: "10.0.0.1", count: 160))
            let client = try WireClient(port: server.port)
            // A busy machine may not have noticed all of them in the time that a list may wait.
            let answer = try Patience.inTime { try client.exchange("GET", Self.quick, "", Self.from("10.0.0.1")) }
            #expect(answer.code == 200)
        }
    }

    @Test(arguments: TestDatabase.all)
    func `hold up another client's for a second at most`(on database: TestDatabase) async throws {
        try await TestServer.with(on: database) { server in
            try Self.fill(server)
            let client = try WireClient(port: server.port)
            // A second, and what a busy machine adds. Without turns it is five each time, however idle the machine.
            let longest = try Patience.shortest(below: .seconds(2.5)) {
                let slow = try Self.askSlowly(server, from: [String](repeating: "10.0.0.1", count: 16))
                defer { withExtendedLifetime(slow) {} }
                let begin = ContinuousClock.now
                var longest = Duration.zero
                while ContinuousClock.now - begin < .seconds(3) {
                    let start = ContinuousClock.now
                    let code = try client.exchange("GET", Self.quick, "", Self.from("10.0.0.2")).code
                    // It may be late even for a list, which is longer than any bound.
                    #expect([200, 503].contains(code))
                    longest = max(longest, code == 200 ? ContinuousClock.now - start : .seconds(600))
                }
                return longest
            }
            #expect(longest < .seconds(2.5), "\(longest)")
        }
    }

    @Test(arguments: TestDatabase.all)
    func `are all answered within the time of a list, waiting included`(on database: TestDatabase) async throws {
        try await TestServer.with(on: database, listTime: .seconds(2)) { server in
            try Self.fill(server)
            // Two seconds, and what a busy machine adds. Without turns it is eight each time, however idle the machine.
            let took = try Patience.shortest(below: .seconds(7)) {
                let start = ContinuousClock.now
                let clients = try Self.askSlowly(server, from: (1...32).map { "10.0.0.\($0)" })
                for client in clients {
                    let response = try client.response()
                    #expect([200, 503].contains(response.code))
                    if response.code == 503 { #expect(response["Retry-After"] != nil) }
                }
                return ContinuousClock.now - start
            }
            #expect(took < .seconds(7), "\(took)")
        }
    }

    @Test(arguments: TestDatabase.all)
    func `are refused where too many of one client wait`(on database: TestDatabase) async throws {
        try await TestServer.with(on: database) { server in
            try Self.fill(server)
            // On a busy machine the first may have waited too long before the last have come.
            var refused = 0
            for _ in 0..<10 where refused < 300 - 256 - 8 { refused = try Self.refusals(of: 300, by: server) }
            #expect(refused >= 300 - 256 - 8)
            let answer = try Patience.inTime { try WireClient(port: server.port).exchange("GET", Self.quick) }
            #expect(answer.code == 200)
        }
    }

    /// How many of so many slow lists of one client are refused since others wait. None is answered.
    private static func refusals(of count: Int, by server: TestServer) throws -> Int {
        let clients = try askSlowly(server, from: [String](repeating: "10.0.0.1", count: count))
        let answers = try clients.map { try $0.response() }
        #expect(answers.allSatisfy { $0.code == 503 && $0["Retry-After"] != nil })
        return answers.count { $0.text.contains("Too many queries are waiting") }
    }

    @Test(arguments: TestDatabase.all)
    func `are answered early to who has shut its sending side, and others in full`(
        on database: TestDatabase
    ) async throws {
        try await TestServer.with(on: database) { server in
            try Self.fill(server)
            let slow = try Self.askSlowly(server, from: ["10.0.0.1"])[0]
            slow.shutdownSending()
            let answer = try slow.response()
            #expect(answer.code == 503 && answer.text.contains("the connection was closed"), "\(answer.text)")
            let quick = try WireClient(port: server.port)
            try quick.send(WireClient.request("GET", Self.quick))
            quick.shutdownSending()
            #expect(try quick.response().code == 200)
        }
    }
}
