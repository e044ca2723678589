import JSONText
import StorageTesting
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
    /// Conditions that would find the rows of others, if they were there.
    private static let conditions = [
        "true or true", "owner ne null", "owner eq null or owner ne null", "not (owner eq 'x')",
        "startswith(owner,'sid:')", "length(text) ge 0", "id eq 'k1' or true eq true", "owner gt ''",
    ]

    @Test(arguments: [1, 2, 3] as [UInt64], TestDatabase.all)
    func `no byte of another's rows is in any answer`(_ seed: UInt64, on database: TestDatabase) async throws {
        try await TestServer.with(on: database, lines: [UserTokens.line]) { server in
            let client = try WireClient(port: server.port)
            var random = SeededGenerator(seed: seed)
            var owners = [try Owner("alice"), try Owner("bob")]
            for step in 0..<300 {
                let turn = Int.random(in: 0...1, using: &random)
                let taken = owners[1 - turn].live.union(owners[1 - turn].tombstones)
                let response = try Self.step(&owners[turn], taken, client, &random)
                #expect(!response.text.contains(owners[1 - turn].name), "step \(step): \(response.text)")
                for field in response.fields {
                    #expect(!field.value.contains(owners[1 - turn].name), "step \(step): \(field)")
                }
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
        let id = random.pick(ids)
        let path = "/tables/mine/\(id)"
        let body = "{\"text\":\"of \(owner.name) \(Int.random(in: 0...9, using: &random))\",\"owner\":\"sid:nobody\"}"
        switch Int.random(in: 0..<8, using: &random) {
        case 0, 1:
            let response = try client.exchange(
                "POST", "/tables/mine", "{\"id\":\"\(id)\"," + body.dropFirst(), owner.fields)
            let isKnown = owner.live.contains(id) || owner.tombstones.contains(id) || taken.contains(id)
            #expect(response.code == (isKnown ? 409 : 201))
            if response.code == 201 { owner.live.insert(id) }
            return response
        case 2:
            let response = try client.exchange("PATCH", path, body, owner.fields)
            #expect(response.code == (owner.live.contains(id) ? 200 : 404))
            return response
        case 3:
            let response = try client.exchange("DELETE", path, "", owner.fields)
            #expect(response.code == (owner.live.contains(id) ? 200 : 404))
            if owner.live.remove(id) != nil { owner.tombstones.insert(id) }
            return response
        case 4:
            let response = try client.exchange("POST", path, "", owner.fields)
            let isOwn = owner.live.contains(id) || owner.tombstones.contains(id)
            #expect(response.code == (isOwn ? 201 : 404))
            if owner.tombstones.remove(id) != nil { owner.live.insert(id) }
            return response
        case 5:
            let response = try client.exchange("GET", path, "", owner.fields)
            #expect(response.code == (owner.live.contains(id) ? 200 : 404))
            return response
        case 6:
            return try client.exchange(
                "PATCH", path, body, owner.fields + ["If-Match: \"AAAAAAAAAA\(random.pick(["A", "E", "I"]))=\""])
        default:
            let condition = random.pick(conditions)
            return try client.exchange(
                "GET", "/tables/mine?$filter=\(condition)&$inlinecount=allpages&__includeDeleted=true", "",
                owner.fields)
        }
    }

    /// Walks over the links and counts: exactly the owner's rows.
    private static func checkLists(of owner: Owner, _ client: WireClient) throws {
        for (flag, expected) in [("", owner.live), ("&__includeDeleted=true", owner.live.union(owner.tombstones))] {
            for condition in conditions {
                var path: String? = "/tables/mine?$filter=\(condition)&$inlinecount=allpages\(flag)"
                var seen: [String] = []
                while let target = path {
                    let page = try client.exchange("GET", target, "", owner.fields)
                    #expect(try page.row["count"]?.text == String(expected.count), "\(condition)")
                    seen += try page.rows.compactMap { $0["id"]?.text }
                    path = page.nextPath
                }
                #expect(seen.count == expected.count && Set(seen) == expected, "\(condition)")
            }
        }
    }
}
