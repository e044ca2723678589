import JSONText
import SeedTesting
import Testing
import WireTesting

/// The next page's address where a query is long: proxies take 4 KiB for the head of an answer.
@Suite("Links of long queries") struct LongQueryLinkTests {
    /// What the whole head may have at most.
    private static let headBytes = 4_096

    enum Generation: String, CaseIterable, Sendable {
        case apps = "2.0.0", datasync = "3.0.0"

        var fields: [String] { ["ZUMO-API-VERSION: \(rawValue)"] }
    }

    enum Length: CaseIterable, Sendable {
        /// Long, and packed it is short.
        case alike
        /// Nothing that packing makes much shorter.
        case random
        /// As long as the server takes addresses.
        case longest

        /// A condition that all rows meet whose id is among those listed, percent-encoded.
        func filter(_ ids: [String]) -> String {
            var random = SeededGenerator(seed: 7)
            var conditions = ids
            // The language takes some three hundred of them.
            let (count, length) = self == .longest ? (300, 170) : (140, 32)
            while conditions.count < count {
                let digits = (0..<length).map { _ in String(Int.random(in: 0..<16, using: &random), radix: 16) }
                conditions.append(self == .alike ? "item-\(conditions.count)" : digits.joined())
            }
            return conditions.map { "id%20eq%20'\($0)'" }.joined(separator: "%20or%20")
        }
    }

    private static let ids = (0..<7).map { "row-\($0)" }

    private static func insert(_ client: WireClient, _ fields: [String] = [], into table: String = "todo") throws {
        for id in ids + ["other-1", "other-2"] {
            let answer = try client.exchange("POST", "/tables/\(table)", #"{"id":"\#(id)"}"#, fields)
            try #require(answer.code == 201)
        }
    }

    /// The next page's address as it stands in the answer.
    private static func link(_ answer: WireResponse) throws -> String? {
        if let link = answer["Link"] {
            let path = link[try #require(link.firstRange(of: "/tables/")).lowerBound...]
            return String(path.dropLast("; rel=next".count))
        }
        return try answer.json["nextLink"]?.textValue.map { "/tables/todo?\($0)" }
    }

    private static func ids(_ answer: WireResponse) throws -> [String] {
        try (answer.json["items"]?.elements?.map(\.row) ?? answer.rows).compactMap { $0["id"]?.text }
    }

    @Test(arguments: Generation.allCases, TestDatabase.all)
    func `lead through all pages, with heads and addresses of 4 KiB`(
        _ generation: Generation, on database: TestDatabase
    ) async throws {
        try await TestServer.with(on: database, lines: ["pageSize: 2"]) { server in
            let client = try WireClient(port: server.port)
            try Self.insert(client)
            for length in Length.allCases {
                let start = "/tables/todo?$filter=\(length.filter(Self.ids))&$orderby=id&own=a%26b"
                var (next, found): (String?, [String]) = (start, [])
                while let path = next {
                    let answer = try client.exchange("GET", path, "", generation.fields)
                    try #require(answer.code == 200, "\(length): \(answer.text)")
                    let head = answer.fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 }
                    #expect(head < Self.headBytes, "\(length): \(head)")
                    found += try Self.ids(answer)
                    next = try Self.link(answer)
                    #expect(next?.utf8.count ?? 0 < 3_072, "\(length)")
                }
                #expect(found == Self.ids, "\(length)")
            }
        }
    }

    @Test(arguments: TestDatabase.all)
    func `begin with the version where the address has it`(on database: TestDatabase) async throws {
        try await TestServer.with(on: database, lines: ["pageSize: 5"]) { server in
            let client = try WireClient(port: server.port)
            try Self.insert(client)
            for length in Length.allCases {
                let path = "/tables/todo?zumo-api-version=3.0.0&$filter=\(length.filter(Self.ids))&$count=true"
                let first = try client.exchange("GET", path)
                let second = try client.exchange("GET", try #require(try Self.link(first)))
                #expect(try second.json["count"] == 7 && Self.ids(second).count == 2)
                #expect(try second.json["nextLink"] == .null)
            }
        }
    }

    @Test(arguments: TestDatabase.all)
    func `are void when they are changed, and for another user`(on database: TestDatabase) async throws {
        try await TestServer.with(on: database, lines: ["pageSize: 2", UserTokens.line]) { server in
            let client = try WireClient(port: server.port)
            let (ann, bob) = ([try UserTokens.field("sid:ann")], [try UserTokens.field("sid:bob")])
            try Self.insert(client, ann)
            for length in Length.allCases {
                let path = "/tables/todo?$filter=\(length.filter(Self.ids))"
                let link = try #require(try Self.link(client.exchange("GET", path, "", ann)))
                #expect(try client.exchange("GET", link, "", ann).code == 200)
                for changed in [String(link.dropLast()), link + "A", String(link.dropLast(6)) + "AAAAAA"] {
                    let answer = try client.exchange("GET", changed, "", ann)
                    #expect(answer.code == 400 && answer.text.contains("skiptoken"), "\(answer.text)")
                }
                // What is kept for one user is no other's.
                guard length != .alike else { continue }
                let others = try client.exchange("GET", link, "", bob)
                #expect(others.code == 400 && others.text.contains("kept"), "\(others.text)")
            }
        }
    }

    @Test(arguments: TestDatabase.all)
    func `are as long as the query where nobody may have more kept`(on database: TestDatabase) async throws {
        try await TestServer.with(on: database, lines: ["pageSize: 2"]) { server in
            let client = try WireClient(port: server.port)
            try Self.insert(client)
            var lengths: [Int] = []
            var first: String?
            for number in 0..<60 where lengths.last ?? 0 < 4_096 {
                let filter = Length.longest.filter(Self.ids + ["id-\(number)"])
                let path = "/tables/todo?$filter=\(filter)&$select=id"
                let link = try #require(try Self.link(client.exchange("GET", path)))
                first = first ?? link
                lengths.append(link.utf8.count)
                #expect(try Self.ids(client.exchange("GET", link)).count == 2)
            }
            #expect(lengths.count > 10 && lengths.last ?? 0 > 50_000)
            #expect(try Self.ids(client.exchange("GET", try #require(first))).count == 2)
        }
    }

    @Test(arguments: Generation.allCases, TestDatabase.all)
    func `say all of the query to scripts, and what is the app's own to whoever reads the address`(
        _ generation: Generation, on database: TestDatabase
    ) async throws {
        let parts = try FixtureParts(namedBy: "/tables/asked", in: "\(Fixture.path)/scripts")
        try await TestServer.with(on: database, fixture: "scripts", lines: ["pageSize: 2"], parts: parts) { server in
            let client = try WireClient(port: server.port)
            try Self.insert(client, into: "asked")
            for length in Length.allCases {
                let start = "/tables/asked?$filter=\(length.filter(Self.ids))&$orderby=id&own=a%26b"
                var (next, asked): (String?, [String?]) = (start, [])
                while let path = next {
                    #expect(path.contains("own=a%26b"))
                    let answer = try client.exchange("GET", path, "", generation.fields)
                    try #require(answer.code == 200, "\(length): \(answer.text)")
                    asked.append(answer["X-Asked"])
                    next = try Self.link(answer)?.replacing("/tables/todo?", with: "/tables/asked?")
                }
                #expect(asked.count == 4 && asked.allSatisfy { $0 == asked[0] && $0?.hasPrefix("a&b ") == true })
                #expect(asked[0]?.hasSuffix(" id true") == true)
            }
        }
    }
}
