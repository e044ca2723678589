import JSONText
import SeedTesting
import Testing
import WireTesting

@Suite struct `Pages of long rows` {
    private static let lines = ["", "limits: { answerBytes: 4096 }", ""]

    /// Rows of very different lengths: each page ends elsewhere, and some hold a single row that is larger than a page.
    private static func fill(_ client: WireClient, seed: UInt64) throws -> [String] {
        var generator = SeededGenerator(seed: seed)
        var ids: [String] = []
        for number in 100..<160 {
            let isLong = Int.random(in: 0..<10, using: &generator) == 0
            let length = isLong ? 6_000 : Int.random(in: 0..<900, using: &generator)
            let text = String(repeating: "x", count: length)
            let body = #"{"id":"k\#(number)","text":"\#(text)"}"#
            try #require(try client.exchange("POST", "/tables/todo", body).code == 201)
            ids.append("k\(number)")
        }
        return ids
    }

    @Test(arguments: ["", "&$orderby=updatedAt", "&$orderby=complete,text desc"], TestDatabase.all)
    func `end early with a Link, and the walk has each row once`(
        _ order: String, on database: TestDatabase
    ) async throws {
        try await TestServer.with(on: database, lines: Self.lines) { server in
            let client = try WireClient(port: server.port)
            let ids = try Self.fill(client, seed: 7)
            var target = "/tables/todo?__includeDeleted=true&$inlinecount=allpages\(order)"
            var found: [String] = []
            var counts: Set<Int> = []
            while true {
                let page = try client.exchange("GET", target)
                try #require(page.code == 200, "\(page.text)")
                let rows = try page.rows
                #expect(page.body.count < 4_096 + 7_000)
                counts.insert(rows.count)
                found += rows.compactMap { $0["id"]?.text }
                guard let link = page["Link"] else { break }
                // Also where a place is too long for a link, which only $skip can go on from then.
                #expect(link.contains("$skip=\(found.count)&") || link.contains("$skip=\(found.count);"))
                target = try "/tables" + #require(link.split(separator: ";").first?.split(separator: "/tables").last)
                try #require(found.count < 100)
            }
            #expect(found.sorted() == ids)
            // The server's own pages would have had 50 and 10.
            #expect(counts.max() ?? 50 < 30 && counts.count > 2)
        }
    }

    @Test(arguments: ["", "&$top=47", "&$orderby=updatedAt"], TestDatabase.all)
    func `end early with a nextLink in v3, with $top too`(_ options: String, on database: TestDatabase) async throws {
        try await TestServer.with(on: database, lines: Self.lines) { server in
            let client = try WireClient(port: server.port)
            let ids = try Self.fill(client, seed: 8)
            let fields = ["ZUMO-API-VERSION: 3.0.0", "X-ZUMO-Options: nextLink=path"]
            var target = "/tables/todo?$count=true\(options)"
            var found: [String] = []
            while true {
                let page = try client.exchange("GET", target, "", fields)
                try #require(page.code == 200, "\(page.text)")
                #expect(try page.row["count"]?.text == "60")
                found += try page.items.compactMap { $0["id"]?.text }
                guard let link = try page.row["nextLink"]?.text else { break }
                target = link
                try #require(found.count < 100)
            }
            #expect(Set(found).count == found.count)
            if options.contains("top") {
                #expect(found == Array(ids.prefix(47)))
            } else {
                #expect(found.sorted() == ids)
            }
        }
    }

    @Test(arguments: TestDatabase.all)
    func `are 400 where a client would take a short page for the last one`(on database: TestDatabase) async throws {
        try await TestServer.with(on: database, lines: Self.lines) { server in
            let client = try WireClient(port: server.port)
            _ = try Self.fill(client, seed: 9)
            for (target, version) in [("?$top=50", "2.0.0"), ("?$top=50", nil), ("", nil)] {
                let fields = version.map { ["ZUMO-API-VERSION: \($0)"] } ?? ["X-ZUMO-APPLICATION: key"]
                let page = try client.exchange("GET", "/tables/todo\(target)", "", fields)
                #expect(page.code == 400, "\(target) \(fields)")
                #expect(page.text.contains("ask for fewer"), "\(page.text)")
            }
            // One row alone always fits, and so does a page whose last row is the table's last.
            for number in 100..<160 {
                let page = try client.exchange("GET", "/tables/todo?$top=1&$skip=\(number - 100)")
                #expect(page.code == 200 && page.text.contains("k\(number)"))
            }
        }
    }
}
