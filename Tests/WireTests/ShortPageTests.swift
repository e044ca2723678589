import JSONText
import SyncTesting
import Testing
import WireTesting

/// Pages of pulls that end by their bytes.
@Suite struct `Short pages of pulls` {
    private static let lines = ["limits: { pageBytes: 4096 }"]
    private static let apps = ["ZUMO-API-VERSION: 2.0.0"]

    struct Pull: Sendable, CustomTestStringConvertible {
        let kind: ClientKind
        let isIncremental: Bool

        static let all = ClientKind.served.flatMap { kind in
            // JavaScript, and Datasync's libraries, know no other pull.
            switch kind {
            case .ios2, .ios3, .android3, .dotnet4: [true, false].map { Pull(kind: kind, isIncremental: $0) }
            default: [Pull(kind: kind, isIncremental: true)]
            }
        }

        var testDescription: String { "\(kind)\(isIncremental ? "" : " without a query id")" }
    }

    /// Rows of about a kibibyte, and some that are larger than a page by themselves.
    private static func fill(_ client: WireClient, _ numbers: Range<Int>) throws {
        for number in numbers {
            let text = String(repeating: "x", count: number % 9 == 4 ? 6_000 : 900)
            let body = #"{"id":"k\#(number)","text":"\#(text)"}"#
            try #require(try client.exchange("POST", "/tables/todo", body, apps).code == 201)
        }
    }

    private static func list(
        _ target: String, _ client: WireClient, _ version: String = "2.0.0"
    ) throws -> WireResponse {
        try Patience.inTime { try client.exchange("GET", target, "", ["ZUMO-API-VERSION: \(version)"]) }
    }

    @Test(arguments: Pull.all, TestDatabase.all)
    func `bring every library all rows, in more pages`(_ pull: Pull, on database: TestDatabase) async throws {
        try await TestServer.with(on: database, lines: Self.lines) { server in
            let editor = try WireClient(port: server.port)
            try Self.fill(editor, 100..<160)
            var settings = PullSettings(table: "todo")
            settings.isIncremental = pull.isIncremental
            let port = server.port
            let client = SyncClient(pull.kind, settings) { port }
            client.beginPull()
            var pages = 0
            while try client.pullPage() {
                #expect(client.lastPage.count <= 5)
                // Whoever pulls by `$skip` alone never sees what moves meanwhile, however long the pages are.
                if pages < 6, pull.isIncremental {
                    let target = "/tables/todo/k\(100 + pages * 7)"
                    #expect(try editor.exchange("PATCH", target, #"{"complete":true}"#, Self.apps).code == 200)
                }
                pages += 1
                try #require(pages < 200)
            }
            try client.pull()
            #expect(try ServerRows(of: "todo", port: port).differences(from: client.rows) == [])
            #expect(client.rows.count == 60 && pages > 12)
        }
    }

    @Test(arguments: TestDatabase.all)
    func `lead by a link to the rest of what was asked for`(on database: TestDatabase) async throws {
        try await TestServer.with(on: database, lines: Self.lines) { server in
            let client = try WireClient(port: server.port)
            try Self.fill(client, 100..<160)
            var target =
                "/tables/todo?$orderby=updatedAt&$top=47&$skip=3&__includeDeleted=true&$inlinecount=allpages&$select=id,text"
            var ids: [String] = []
            while true {
                let page = try client.exchange("GET", target, "", Self.apps)
                try #require(page.code == 200, "\(page.text)")
                #expect(page.body.count < 4_096 + 7_000)
                #expect(try page.row["count"]?.text == "60")
                ids += try page.rows.compactMap { $0["id"]?.text }
                guard let link = page["Link"] else { break }
                #expect(link.contains("$top=\(47 - ids.count)&"), "\(link)")
                target = try "/tables" + #require(link.split(separator: ";").first?.split(separator: "/tables").last)
                try #require(ids.count < 60)
            }
            #expect(ids == (103..<150).map { "k\($0)" })
        }
    }

    /// Whoever takes a short page for the last one gets what was asked for.
    @Test(
        arguments: [
            // Not a pull.
            "2.0.0 ?$top=50", "2.0.0 ?$top=50&$orderby=updatedAt", "1 ?$top=50", "1 ", "2.0.0 ",
            // A pull by $skip of whom nobody knows, or who stopped at a short page.
            "2.0.0 ?$top=50&$skip=0&__includeDeleted=true", "1 ?$top=50&$skip=0&__includeDeleted=true",
            "2.0.0 ?$top=50&$orderby=updatedAt desc&__includeDeleted=true",
        ], TestDatabase.all)
    func `are no other list's`(_ list: String, on database: TestDatabase) async throws {
        try await TestServer.with(on: database, lines: Self.lines) { server in
            let client = try WireClient(port: server.port)
            try Self.fill(client, 100..<160)
            let parts = list.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
            let fields = parts[0] == "1" ? ["X-ZUMO-APPLICATION: key"] : ["ZUMO-API-VERSION: \(parts[0])"]
            let old = "User-Agent: ZUMO/2.0 (lang=Java; os=Android; version=2.0.2)"
            let query = parts[1].replacing(" ", with: "%20")
            for fields in [fields, fields + [old]] {
                let page = try client.exchange("GET", "/tables/todo\(query)", "", fields)
                #expect(try page.code == 200 && page.rows.count == 50)
            }
        }
    }

    @Test(arguments: TestDatabase.all)
    func `are of four mebibytes where nothing else is said`(on database: TestDatabase) async throws {
        try await TestServer.with(on: database) { server in
            let client = try WireClient(port: server.port)
            let text = String(repeating: "x", count: 700_000)
            for number in 10..<18 {
                let body = #"{"id":"k\#(number)","text":"\#(text)"}"#
                try #require(try client.exchange("POST", "/tables/todo", body, Self.apps).code == 201)
            }
            let pull = "/tables/todo?$orderby=updatedAt&$top=50&__includeDeleted=true"
            #expect(try Self.list(pull, client).rows.count == 6)
            #expect(try Self.list("/tables/todo?$top=50", client).rows.count == 8)
            let datasync = try Self.list("/tables/todo", client, "3.0.0")
            #expect(try datasync.items.count == 6 && datasync.row["nextLink"]?.text != nil)
        }
    }

    @Test(arguments: TestDatabase.all)
    func `go on where a script makes the rows anew, and other lists of it are not cut in silence`(
        on database: TestDatabase
    ) async throws {
        let lines = ["limits: { pageBytes: 4096, answerBytes: 8192 }"]
        let parts = try FixtureParts(namedBy: "/tables/computed", in: "\(Fixture.path)/scripts")
        try await TestServer.with(on: database, fixture: "scripts", lines: lines, parts: parts) { server in
            let client = try WireClient(port: server.port)
            let title = String(repeating: "x", count: 900)
            for number in 10..<30 {
                let body = #"{"id":"k\#(number)","title":"\#(title)","price":2,"amount":3}"#
                try #require(try client.exchange("POST", "/tables/computed", body, Self.apps).code == 201)
            }
            var next: String? = "/tables/computed?$top=15&$orderby=updatedAt&__includeDeleted=true"
            var ids: [String?] = []
            while let path = next {
                let page = try Self.list(path, client)
                try #require(page.code == 200, "\(page.text)")
                let rows = try page.rows
                #expect(rows.count <= 5 && rows.allSatisfy { $0["total"] != nil })
                ids += rows.map { $0["id"]?.text }
                next = page["Link"].map { $0.replacing("; rel=next", with: "") }
                if let link = next, let start = link.firstRange(of: "/tables/") {
                    next = String(link[start.lowerBound...])
                }
            }
            #expect(ids == (10..<25).map { "k\($0)" })
            let whole = try Self.list("/tables/computed?$top=15", client)
            #expect(whole.code == 400 && whole.text.contains("$top="), "\(whole.text)")
            #expect(try Self.list("/tables/computed?$top=5", client).rows.count == 5)
        }
    }
}
