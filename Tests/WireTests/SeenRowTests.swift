import Testing
import WireTesting

@Suite struct `A pull whose page held one row` {
    private static func target(_ stamp: String, skip: Int = 1, order: String = "updatedAt", _ more: String = "")
        -> String
    {
        "/tables/todo?$filter=(updatedAt ge datetimeoffset'\(stamp)')&$orderby=\(order)&$skip=\(skip)\(more)"
    }

    private static func ids(_ response: WireResponse) throws -> [String] {
        try response.rows.compactMap { $0["id"]?.text }
    }

    /// A server whose row `a` a client has seen alone, with three more rows after it.
    private static func withRows(
        on database: TestDatabase, lines: [String] = [],
        _ body: @escaping @Sendable (WireClient, String) throws -> Void
    ) async throws {
        try await TestServer.with(on: database, lines: lines) { server in
            let client = try WireClient(port: server.port)
            let first = try client.exchange("POST", "/tables/todo", #"{"id":"a","text":"x"}"#)
            let stamp = try #require(try first.row["updatedAt"]?.text)
            let alone = try client.exchange("GET", target(stamp, skip: 0, "&__includeDeleted=true"))
            try #require(try ids(alone) == ["a"])
            for id in ["b", "c", "d"] {
                try #require(try client.exchange("POST", "/tables/todo", #"{"id":"\#(id)"}"#).code == 201)
            }
            try body(client, stamp)
        }
    }

    @Test(arguments: TestDatabase.all)
    func `gets what is behind the row while that stays as it was`(on database: TestDatabase) async throws {
        try await Self.withRows(on: database) { client, stamp in
            let page = try client.exchange("GET", Self.target(stamp, "&$top=50&__includeDeleted=true"))
            #expect(try Self.ids(page) == ["b", "c", "d"])
            let dotNet = stamp.dropLast() + "0000%2B00:00"
            let same = try client.exchange("GET", Self.target(String(dotNet), "&$top=50&__includeDeleted=true"))
            #expect(same.text == page.text)
        }
    }

    @Test(arguments: ["PATCH", "DELETE"], TestDatabase.all)
    func `loses no row though the one it saw is edited between two requests`(
        method: String, on database: TestDatabase
    ) async throws {
        try await Self.withRows(on: database) { client, stamp in
            try #require(try client.exchange(method, "/tables/todo/a", #"{"text":"y"}"#).code == 200)
            let target = Self.target(stamp, "&$top=50&$inlinecount=allpages&__includeDeleted=true")
            let page = try client.exchange("GET", target)
            #expect(try Self.ids(page) == ["b", "c", "d", "a"])
            #expect(try page.row["count"]?.text == "4")
        }
    }

    @Test(arguments: TestDatabase.all)
    func `goes on by links behind such a page`(on database: TestDatabase) async throws {
        try await Self.withRows(on: database, lines: ["pageSize: 2"]) { client, stamp in
            var next: String? = Self.target(stamp, "&__includeDeleted=true")
            var pages: [[String]] = []
            while let target = next {
                let page = try client.exchange("GET", target)
                pages.append(try Self.ids(page))
                if pages.count == 1 { _ = try client.exchange("PATCH", "/tables/todo/a", #"{"text":"y"}"#) }
                next = page.nextPath
            }
            #expect(pages == [["b", "c"], ["d", "a"]])
        }
    }

    @Test(arguments: TestDatabase.all)
    func `is no other list - those skip as many rows as they say`(on database: TestDatabase) async throws {
        try await Self.withRows(on: database) { client, stamp in
            _ = try client.exchange("PATCH", "/tables/todo/a", #"{"text":"y"}"#)
            for (target, ids) in [
                (Self.target(stamp), ["c", "d", "a"]),
                (Self.target(stamp, skip: 2, "&__includeDeleted=true"), ["d", "a"]),
                (Self.target(stamp, order: "updatedAt,text", "&__includeDeleted=true"), ["c", "d", "a"]),
                (Self.target(stamp, order: "updatedAt desc", "&__includeDeleted=true"), ["d", "c", "b"]),
                ("/tables/todo?$orderby=updatedAt&$skip=1&__includeDeleted=true", ["c", "d", "a"]),
            ] {
                #expect(try Self.ids(try client.exchange("GET", target)) == ids, "\(target)")
            }
        }
    }
}
