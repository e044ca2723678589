import JSONText
import Testing
import WireTesting

@Suite struct `Datasync pages` {
    private static let version = ["ZUMO-API-VERSION: 3.0.0"]

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
