import JSONText
import Testing
import WireTesting

@Suite struct `Pulling a table while it changes` {
    struct Pull: Sendable {
        let style: Puller.Style
        let pageSize: Int

        static let all = Puller.Style.allCases.flatMap { style in
            [3, 7, 50].map { Pull(style: style, pageSize: $0) }
        }
    }

    @Test(arguments: Pull.all, TestDatabase.all)
    func `ends with an equal copy`(_ pull: Pull, on database: TestDatabase) async throws {
        try await TestServer.with(on: database) { server in
            let client = try WireClient(port: server.port)
            let editor = Editor(client: try WireClient(port: server.port))
            for number in 0..<60 { try editor.insert(number) }
            var puller = Puller(style: pull.style, pageSize: pull.pageSize)
            var pages = 0
            while try puller.pullPage(from: client) {
                if pages < 6 { try editor.edit(step: pages) }
                pages += 1
                try #require(pages < 500)
            }
            let everything = try client.exchange("GET", "/tables/todo?$top=1000&__includeDeleted=true").rows
            #expect(everything.count == 66)
            #expect(Set(everything.compactMap { $0["id"]?.text }) == Set(puller.copy.keys))
            for row in everything { #expect(puller.copy[row["id"]?.text ?? ""] == row) }
        }
    }

    @Test(arguments: Puller.Style.allCases, TestDatabase.all)
    func `fetches only what has changed since the last pull`(_ style: Puller.Style, on database: TestDatabase)
        async throws
    {
        try await TestServer.with(on: database) { server in
            let client = try WireClient(port: server.port)
            let editor = Editor(client: try WireClient(port: server.port))
            for number in 0..<60 { try editor.insert(number) }
            var puller = Puller(style: style, pageSize: 50)
            while try puller.pullPage(from: client) {}
            try editor.edit(step: 0)
            puller.startAgain()
            while try puller.pullPage(from: client) {}
            // The row stamped with the token is fetched again, and the four that were edited, some page after page.
            #expect(puller.fetched.count == 5)
            let everything = try client.exchange("GET", "/tables/todo?$top=1000&__includeDeleted=true").rows
            for row in everything { #expect(puller.copy[row["id"]?.text ?? ""] == row) }
        }
    }

    @Test(arguments: TestDatabase.all)
    func `every one of 5,000 rows survives a walk over the pages`(on database: TestDatabase) async throws {
        try await TestServer.with(on: database) { server in
            _ = try await inParallel(10) { thread in
                let client = try WireClient(port: server.port)
                for number in 0..<500 {
                    let body = #"{"id":"\#(thread)-\#(number)","title":"row"}"#
                    try #require(try client.exchange("POST", "/tables/hard", body).code == 201)
                }
            }
            let client = try WireClient(port: server.port)
            var path: String? = "/tables/hard?$select=id&$filter=title eq 'row'"
            var linked: [String] = []
            while let target = path {
                let page = try client.exchange("GET", target)
                linked += try page.rows.compactMap { $0["id"]?.text }
                path = page.nextPath
            }
            #expect(linked.count == 5_000)
            #expect(Set(linked).count == 5_000)
            var stamps: [String] = []
            while true {
                let target = "/tables/hard?$select=updatedAt&$orderby=updatedAt&$top=1000&$skip=\(stamps.count)"
                let page = try client.exchange("GET", target).rows.compactMap { $0["updatedAt"]?.text }
                if page.isEmpty { break }
                stamps += page
            }
            #expect(stamps.count == 5_000)
            #expect(zip(stamps, stamps.dropFirst()).allSatisfy { $0 < $1 })
        }
    }
}

/// Changes rows while somebody else pulls them.
private struct Editor {
    let client: WireClient

    func insert(_ number: Int) throws {
        let body = #"{"id":"row \#(number)","text":"first","complete":false}"#
        try #require(try client.exchange("POST", "/tables/todo", body).code == 201)
    }

    /// Touches rows that have been pulled and rows that have not, and adds one.
    func edit(step: Int) throws {
        let edits = [
            ("PATCH", step, #"{"text":"edited"}"#, 200), ("PATCH", 50 + step, #"{"complete":true}"#, 200),
            ("DELETE", 30 + step, "", 200), ("POST", 27 + step, "", 201),
        ]
        for (method, number, body, code) in edits where method != "POST" || step > 2 {
            try #require(try client.exchange(method, "/tables/todo/row%20\(number)", body).code == code)
        }
        try insert(100 + step)
    }
}
