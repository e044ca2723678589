import JSONText
import SyncTesting
import Testing
import WireTesting

@Suite struct `Pulling a table while it changes` {
    struct Pull: Sendable {
        let kind: ClientKind
        let pageSize: Int

        static let all = ClientKind.served.flatMap { kind in
            [2, 3, 50].map { Pull(kind: kind, pageSize: $0) }
        }
    }

    @Test(arguments: Pull.all, TestDatabase.all)
    func `ends with an equal copy, whatever is edited between the pages`(
        _ pull: Pull, on database: TestDatabase
    ) async throws {
        try await TestServer.with(on: database, lines: pull.kind.lines(pageSize: pull.pageSize)) { server in
            let editor = try Editor(port: server.port)
            for number in 0..<12 { try editor.insert(number) }
            let client = pull.kind.client(of: server, pageSize: pull.pageSize)
            var edits = 0
            var pages = 0
            while edits < 12 {
                client.beginPull()
                var isMore = true
                while isMore {
                    isMore = try client.pullPage()
                    if edits < 12 {
                        if pages % 4 == 0 {
                            try editor.edit(step: edits)
                            edits += 1
                        }
                        // The client has come to the newest row, and asks next for those behind it: another comes
                        // behind it, and then it goes behind that one.
                        if let newest = client.lastPage.last, client.lastPage.count == 1 {
                            try editor.insert(200 + pages)
                            try editor.touch(newest.id, "page \(pages)")
                            edits += 1
                        }
                    }
                    pages += 1
                    try #require(pages < 1_000)
                }
            }
            try client.pull()
            #expect(try ServerRows(of: "todo", port: server.port).differences(from: client.rows) == [])
            #expect(client.rows.count > 12)
        }
    }

    /// Datasync asks for no tombstones in its first pull, and afterwards only for what is stamped later than all that
    /// it has: of a row deleted in the middle of that pull it would never learn, had the pull come upon a later stamp.
    @Test(arguments: ClientKind.served, TestDatabase.all)
    func `learns of a row that was deleted in the middle of its first pull`(
        _ kind: ClientKind, on database: TestDatabase
    ) async throws {
        try await TestServer.with(on: database, lines: kind.lines(pageSize: 3)) { server in
            let editor = try Editor(port: server.port)
            for number in 0..<10 { try editor.insert(number) }
            let client = kind.client(of: server, pageSize: 3)
            client.beginPull()
            #expect(try client.pullPage())
            try editor.delete("row-1")
            try editor.touch("row-2", "again")
            try editor.touch("row-8", "edited")
            while try client.pullPage() {}
            // The first pull has every row that was there when it began.
            #expect(client.rows.count >= 9)
            try client.pull()
            #expect(try ServerRows(of: "todo", port: server.port).differences(from: client.rows) == [])
        }
    }

    @Test(arguments: ClientKind.served, TestDatabase.all)
    func `asks for little where little has changed`(_ kind: ClientKind, on database: TestDatabase) async throws {
        try await TestServer.with(on: database) { server in
            let editor = try Editor(port: server.port)
            for number in 0..<60 { try editor.insert(number) }
            let client = kind.client(of: server)
            try client.pull()
            // Pages of fifty: after the first, a client that asks for rows at the token gets one of them again.
            #expect(client.connection.exchanges.count == 2 + (kind.idleRequests - 1) * 2)
            #expect(client.rows.count == 60)
            client.connection.forget()
            try client.pull()
            #expect(client.connection.exchanges.count == kind.idleRequests)
            try editor.edit(step: 0)
            client.connection.forget()
            client.beginPull()
            var fetched: Set<String> = []
            var isMore = true
            while isMore {
                isMore = try client.pullPage()
                fetched.formUnion(client.lastPage.map(\.id))
            }
            let again: Set = kind.idleRequests > 1 ? ["row-59"] : []
            #expect(fetched == again.union(["row-100", "row-0", "row-3", "row-1"]))
            #expect(client.connection.exchanges.count == kind.idleRequests * 2 - 1)
            #expect(try ServerRows(of: "todo", port: server.port).differences(from: client.rows) == [])
        }
    }

    @Test(arguments: [2, 7, 50], TestDatabase.all)
    func `every library's copy equals the server's rows when its writers have stopped`(
        pageSize: Int, on database: TestDatabase
    ) async throws {
        try await TestServer.with(on: database, lines: ["pageSize: \(pageSize)"]) { server in
            let writers = 3
            let edits = 30
            let quiet = Meeting(writers)
            let copies = try await inParallel(writers + ClientKind.served.count) { index in
                if index < writers {
                    defer { quiet.arrive() }
                    let editor = try Editor(port: server.port, name: "writer\(index)")
                    for number in 0..<10 { try editor.insert(number) }
                    for step in 0..<edits { try editor.edit(step: step) }
                    return nil as (ClientKind, [String: SyncedRow])?
                }
                let kind = ClientKind.served[index - writers]
                let client = kind.client(of: server, pageSize: pageSize)
                while quiet.isWaiting { try client.pull() }
                try client.pull()
                return (kind, client.rows)
            }
            let rows = try ServerRows(of: "todo", port: server.port)
            #expect(rows.live.count > writers * edits)
            for (kind, copy) in copies.compactMap(\.self) {
                #expect(rows.differences(from: copy) == [], "\(kind)")
            }
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

    @Test(arguments: TestDatabase.all)
    func `counts the rows once, for its first page`(on database: TestDatabase) async throws {
        try await TestServer.with(on: database) { server in
            let client = try WireClient(port: server.port)
            for number in 1...5 {
                try #require(try client.exchange("POST", "/tables/paged", #"{"id":"k\#(number)"}"#).code == 201)
            }
            func page(_ target: String) throws -> (count: JSONValue?, next: String?) {
                let page = try client.exchange("GET", target)
                let link = page["Link"]?.split(separator: ";").first?.split(separator: "/tables").last
                return (try page.row["count"], link.map { "/tables\($0)" })
            }
            let first = try page("/tables/paged?$orderby=id&$inlinecount=allpages")
            #expect(first.count == .integer(5))
            try #require(try client.exchange("DELETE", "/tables/paged/k1").code / 100 == 2)
            let second = try page(#require(first.next))
            let third = try page(#require(second.next))
            #expect(second.count == .integer(5) && third.count == .integer(5) && third.next == nil)
            #expect(try page("/tables/paged?$orderby=id&$inlinecount=allpages").count == .integer(4))
        }
    }
}
