import JSONText
import StoreMetrics
import Synchronization
import Testing
import WireTesting

@Suite struct `Datasync pages` {
    private static let version = ["ZUMO-API-VERSION: 3.0.0"]

    /// Has something done once, after the look for a table's newest stamp and before whatever follows.
    private final class AfterLook: StatementLog {
        let threshold: Int64 = 0
        let act = Mutex<(@Sendable () -> Void)?>(nil)

        func tell(_ sql: String, took nanoseconds: Int64, plan: () -> String?) {
            guard sql.contains("DESC") else { return }
            act.withLock { act in
                defer { act = nil }
                return act
            }?()
        }
    }

    /// Reads wait on threads of their own there, so that others can write meanwhile.
    @Test(arguments: TestDatabase.all.filter { $0 == .postgres })
    func `a first pull of a table that fills as it begins hears of what is deleted meanwhile`(
        on database: TestDatabase
    ) async throws {
        let look = AfterLook()
        try await TestServer.with(on: database, lines: ["pageSize: 2"], statements: look) { server in
            let editor = try WireClient(port: server.port)
            let port = server.port
            look.act.withLock { act in
                act = {
                    guard let other = try? WireClient(port: port) else { return }
                    for number in 1...5 {
                        _ = try? other.exchange("POST", "/tables/todo", #"{"id":"row-\#(number)"}"#, Self.version)
                    }
                }
            }
            let client = try WireClient(port: server.port)
            var target = "/tables/todo?$orderby=updatedAt&$count=true"
            var copy: Set<String> = []
            var pages = 0
            while true {
                let page = try client.exchange("GET", target, "", LinkShape.absolute.fields)
                for item in try page.items {
                    guard let id = item["id"]?.text else { continue }
                    if item["deleted"] == .boolean(true) { copy.remove(id) } else { copy.insert(id) }
                }
                pages += 1
                if pages == 1 {
                    #expect(copy == ["row-1", "row-2"])
                    #expect(try editor.exchange("DELETE", "/tables/todo/row-1", "", Self.version).code == 204)
                }
                guard let link = try page.row["nextLink"]?.text else { break }
                target = try #require(LinkShape.absolute.target(of: link, from: "todo"))
            }
            #expect(copy == ["row-2", "row-3", "row-4", "row-5"])
        }
    }

    @Test(arguments: LinkShape.allCases, TestDatabase.all)
    func `a walk while others change the rows answered finds each row once`(
        _ shape: LinkShape, on database: TestDatabase
    ) async throws {
        try await TestServer.with(on: database) { server in
            let client = try WireClient(port: server.port)
            let editor = try WireClient(port: server.port)
            for number in 10..<41 {
                let body = #"{"id":"k\#(number)","title":"it's & more?","rank":\#(number / 3)}"#
                try #require(try editor.exchange("POST", "/tables/paged", body, Self.version).code == 201)
            }
            var target = "/tables/paged?$filter=title ne 'it''s %26 more%3F+%23'&orderby=rank desc&$count=true"
            var ids: [String] = []
            while true {
                let page = try client.exchange("GET", target, "", shape.fields)
                try #require(page.code == 200, "\(page.text)")
                let answered = try page.items.compactMap { $0["id"]?.text }
                #expect(answered.count <= 2)
                ids += answered
                try Self.change(answered, editor)
                guard let link = try page.row["nextLink"]?.text else { break }
                target = try #require(shape.target(of: link, from: "paged"), "\(link)")
                try #require(ids.count < 100)
            }
            #expect(ids.filter { $0.hasPrefix("k") }.count == 31)
            #expect(Set(ids).count == ids.count)
        }
    }

    @Test(arguments: LinkShape.allCases, TestDatabase.all)
    func `linked pages tell the count of the first`(_ shape: LinkShape, on database: TestDatabase) async throws {
        try await TestServer.with(on: database) { server in
            let client = try WireClient(port: server.port)
            for number in 1...5 {
                let body = #"{"id":"k\#(number)","rank":\#(number)}"#
                try #require(try client.exchange("POST", "/tables/paged", body, Self.version).code == 201)
            }
            let list = "/tables/paged?$filter=rank gt 0&$orderby=rank"
            func next(of target: String) throws -> (page: [String: JSONValue], target: String) {
                let page = try client.exchange("GET", target, "", shape.fields).row
                let link = try #require(page["nextLink"]?.text)
                return (page, try #require(shape.target(of: link, from: "paged")))
            }
            let (first, second) = try next(of: list + "&$count=true")
            let (uncounted, plain) = try next(of: list)
            #expect(first["count"] == .integer(5) && uncounted["count"] == .null)
            try #require(try client.exchange("DELETE", "/tables/paged/k1", "", Self.version).code == 204)
            let (linked, third) = try next(of: second)
            #expect(linked["count"] == .integer(5))
            let last = try client.exchange("GET", third, "", shape.fields).row
            #expect(last["count"] == .integer(5) && last["nextLink"] == .null)
            // A link that brings no count, as those of earlier versions: it is counted from there on.
            let (counted, rest) = try next(of: plain + "&$count=true")
            #expect(counted["count"] == .integer(4))
            #expect(try client.exchange("GET", rest, "", shape.fields).row["count"] == .integer(4))
        }
    }

    /// Deletes the first row of a page, moves the second in front of all, and adds one that comes before them.
    private static func change(_ page: [String], _ editor: WireClient) throws {
        guard page.count == 2 else { return }
        let deleted = try editor.exchange("DELETE", "/tables/paged/\(page[0])", "", version)
        try #require(deleted.code == 204)
        let moved = try editor.exchange("PATCH", "/tables/paged/\(page[1])", #"{"rank":99}"#, version)
        try #require(moved.code == 200)
        let added = try editor.exchange("POST", "/tables/paged", #"{"rank":100}"#, version)
        try #require(added.code == 201)
    }

    @Test(arguments: TestDatabase.all)
    func `days, times and instants are answered in their own form`(on database: TestDatabase) async throws {
        try await TestServer.with(on: database, fixture: "datasync-ms") { server in
            let client = try WireClient(port: server.port)
            let day = try client.exchange(
                "POST", "/tables/datetime", #"{"id":"a","dateOnly":"2024-02-28","timeOnly":"10:15:30.5"}"#, Self.version
            ).row
            #expect(day["dateOnly"] == .string("2024-02-28"))
            #expect(day["timeOnly"] == .string("10:15:30.500"))
            let movie = try client.exchange(
                "POST", "/tables/movies", #"{"id":"a","releaseDate":"2024-02-28T10:15:30.123456+02:00"}"#, Self.version
            ).row
            #expect(movie["releaseDate"] == .string("2024-02-28T08:15:30.123Z"))
        }
    }
}
