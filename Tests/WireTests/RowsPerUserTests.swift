import JSONText
import SeedTesting
import Testing
import WireTesting

@Suite struct `Rows per user` {
    /// What a user's rows have to be, from what the user was answered.
    private struct Owner {
        let name: String
        let fields: [String]
        var live: Set<String> = []
        var tombstones: Set<String> = []
        var links: [String] = []

        init(_ name: String) throws {
            self.name = name
            fields = [try UserTokens.field("sid:\(name)")]
        }
    }

    private static let ids = (0..<8).map { "k\($0)" }
    // What is in the answers, and what becomes of the other's rows, is the business of RowAccessTests.

    /// Conditions that would find the rows of others, if they were there.
    private static let conditions = [
        "true or true", "owner ne null", "owner eq null or owner ne null", "not (owner eq 'x')",
        "startswith(owner,'sid:')", "length(text) ge 0", "id eq 'k1' or true eq true", "owner gt ''",
    ]

    @Test(arguments: [1, 2, 3] as [UInt64], TestDatabase.all)
    func `each request of a user comes to what it would if the other's rows were not there`(
        _ seed: UInt64, on database: TestDatabase
    ) async throws {
        try await TestServer.with(on: database, lines: [UserTokens.line]) { server in
            let client = try WireClient(port: server.port)
            var random = SeededGenerator(seed: seed)
            var owners = [try Owner("alice"), try Owner("bob")]
            for step in 0..<300 {
                let turn = Int.random(in: 0...1, using: &random)
                let taken = owners[1 - turn].live.union(owners[1 - turn].tombstones)
                let response = try Self.step(&owners[turn], taken, client, &random)
                #expect(!response.text.contains(owners[1 - turn].name), "step \(step): \(response.text)")
            }
            for owner in owners { try Self.checkLists(of: owner, client) }
        }
    }

    @Test(arguments: TestDatabase.all)
    func `a link is void for another user`(on database: TestDatabase) async throws {
        try await TestServer.with(on: database, lines: [UserTokens.line]) { server in
            let client = try WireClient(port: server.port)
            let owners = [try Owner("alice"), try Owner("bob")]
            for owner in owners {
                for index in 0..<4 {
                    let body = "{\"id\":\"\(owner.name)\(index)\"}"
                    #expect(try client.exchange("POST", "/tables/mine", body, owner.fields).code == 201)
                }
            }
            let link = try #require(try client.exchange("GET", "/tables/mine", "", owners[0].fields).nextPath)
            #expect(try client.exchange("GET", link, "", owners[1].fields).code == 400)
            let page = try client.exchange("GET", link, "", owners[0].fields)
            #expect(try page.rows.map { $0["id"]?.text } == ["alice3"])
        }
    }

    private static func step(
        _ owner: inout Owner, _ taken: Set<String>, _ client: WireClient, _ random: inout SeededGenerator
    ) throws -> WireResponse {
        let id = pick(ids, &random)
        let dialect = pick(Dialect.allCases, &random)
        let fields = owner.fields + dialect.fields + ["Content-Type: application/json"]
        let path = "/tables/mine/\(id)"
        let body = "{\"text\":\"of \(owner.name) \(Int.random(in: 0...9, using: &random))\",\"owner\":\"sid:nobody\"}"
        let isLive = owner.live.contains(id)
        let isOwn = isLive || owner.tombstones.contains(id)
        let response: WireResponse
        let succeeds: Bool
        switch Int.random(in: 0..<8, using: &random) {
        case 0, 1:
            let row = "{\"id\":\"\(id)\"," + body.dropFirst()
            response = try client.exchange("POST", "/tables/mine", row, fields)
            succeeds = !isOwn && !taken.contains(id)
            if !succeeds { #expect(response.code == 409) }
            if succeeds { owner.live.insert(id) }
            return response
        case 2:
            response = try client.exchange("PATCH", path, body, fields)
            succeeds = isLive
        case 3:
            response = try client.exchange("DELETE", path, "", fields)
            succeeds = isLive
            if owner.live.remove(id) != nil { owner.tombstones.insert(id) }
        case 4:
            let undelete = dialect == .datasync ? ("PATCH", #"{"deleted":false}"#) : ("POST", "")
            response = try client.exchange(undelete.0, path, undelete.1, fields)
            succeeds = isOwn
            if owner.tombstones.remove(id) != nil { owner.live.insert(id) }
        case 5:
            response = try client.exchange("GET", path, "", fields)
            succeeds = isLive
        case 6:
            let tag = "If-Match: \"\(pick(["AAAAAAAAAAA=", "f/////////8=", "never"], &random))\""
            let method = pick(dialect == .datasync ? ["PATCH", "DELETE", "PUT"] : ["PATCH", "DELETE"], &random)
            let row = method == "PUT" ? "{\"id\":\"\(id)\"," + body.dropFirst() : method == "PATCH" ? body : ""
            response = try client.exchange(method, path, row, fields + [tag])
            // No row's version is among those tags.
            succeeds = false
        default:
            return try client.exchange("GET", list(dialect, where: pick(conditions, &random)), "", fields)
        }
        #expect((200..<300).contains(response.code) == succeeds, "\(dialect) \(id): \(response.status)")
        if !isOwn { #expect(response.code == 404, "\(dialect) \(id): \(response.status)") }
        return response
    }

    private static func pick<Choice>(_ choices: [Choice], _ random: inout SeededGenerator) -> Choice {
        choices[Int.random(in: 0..<choices.count, using: &random)]
    }

    /// The count of the owner's rows in every generation, tombstones or not, and a walk over the links.
    private static func checkLists(of owner: Owner, _ client: WireClient) throws {
        let everything = owner.live.union(owner.tombstones)
        for condition in conditions {
            for dialect in Dialect.allCases {
                let list = try client.exchange(
                    "GET", list(dialect, where: condition), "", owner.fields + dialect.fields)
                #expect(try list.row["count"]?.text == String(everything.count), "\(dialect) \(condition)")
            }
            var path: String? = "/tables/mine?$filter=\(condition)&$inlinecount=allpages"
            var seen: [String] = []
            while let target = path {
                let page = try client.exchange("GET", target, "", owner.fields)
                #expect(try page.row["count"]?.text == String(owner.live.count), "\(condition)")
                seen += try page.rows.compactMap { $0["id"]?.text }
                path = page.nextPath
            }
            #expect(seen.count == owner.live.count && Set(seen) == owner.live, "\(condition)")
        }
    }

    /// A counted list, tombstones included.
    private static func list(_ dialect: Dialect, where condition: String) -> String {
        "/tables/mine?$filter=\(condition)&\(dialect.count)&__includeDeleted=true"
    }
}
