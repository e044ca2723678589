import Foundation
import JSONText
import Testing
import TokenTesting
import WireTesting

@Suite("A world's clock and numbers", .ownThread)
struct WorldClockTests {
    private static let files = [
        "tables/TodoItem.yaml": "columns: { text: string }\nsoftDelete: true\nrecordsExpire: { days: 30 }\n",
        "zumod.yaml": "limits: { addressRequestsPerMinute: 30 }\ntrustedProxies: [10.0.0.0/8]\n",
    ]

    @Test(arguments: TestModeServer.Store.all)
    func `stamps, lifetimes and rate limits go by it`(_ store: TestModeServer.Store) throws {
        let server = try TestModeServer(store, Self.files)
        let world = try server.world("{\"clock\":\"2030-05-01T10:00:00Z\",\"frozen\":true}")
        let row = try world.insert("a")
        #expect(row.json["createdAt"] == "2030-05-01T10:00:00.000Z")
        #expect(row["Date"] == "Wed, 01 May 2030 10:00:00 GMT")
        _ = try world.ask("POST", "/_test/clock", "{\"advanceMilliseconds\":1500}")
        #expect(try world.insert("b").json["updatedAt"] == "2030-05-01T10:00:01.500Z")
        var codes: [Int] = []
        for _ in 0..<40 { codes.append(try world.ask("GET", "/tables/TodoItem/a").code) }
        #expect(codes.contains(429))
        _ = try world.ask("POST", "/_test/clock", "{\"advanceMilliseconds\":60000}")
        #expect(try world.ids() == ["a", "b"])
        _ = try world.ask("POST", "/_test/clock", "{\"set\":\"2030-05-31T10:00:01Z\"}")
        #expect(try world.ids() == ["b"])
        _ = try world.ask("POST", "/_test/clock", "{\"set\":\"2030-05-01T10:00:00Z\"}")
        #expect(try world.ids() == ["a", "b"])
    }

    @Test func `the time of a query is the world's`() throws {
        let server = try TestModeServer(.memory)
        let world = try server.world("{\"clock\":\"2030-05-01T10:00:00Z\",\"frozen\":true}")
        try world.insert("a")
        let client = try WireClient(port: world.port)
        for (filter, rows) in [("updatedAt%20le%20now()", 1), ("updatedAt%20lt%20now()", 0)] {
            try client.send(
                "GET \(world.path)/tables/TodoItem?$filter=\(filter) HTTP/1.1\r\nHost: x\r\n"
                    + "ZUMO-API-VERSION: 3.0.0\r\n\r\n")
            #expect(try client.response().json["items"]?.elements?.count == rows, "\(filter)")
        }
    }

    @Test(arguments: TestModeServer.Store.all)
    func `set back, it gives rows no stamp that another has passed`(_ store: TestModeServer.Store) throws {
        let server = try TestModeServer(store)
        let world = try server.world("{\"clock\":\"2030-05-01T10:00:00Z\",\"frozen\":true}")
        try world.insert("a")
        _ = try world.ask("POST", "/_test/clock", "{\"set\":\"2020-01-01T00:00:00Z\"}")
        try world.insert("b")
        let rows = try world.ask("GET", "/tables/TodoItem?$orderby=updatedAt").json.elements ?? []
        #expect(rows.map { $0["id"]?.textValue } == ["a", "b"])
    }

    /// Bodies that no clock takes.
    static let refused = [
        "{\"set\":\"tomorrow\"}", "{\"set\":1}", "{\"advanceMilliseconds\":1.5}", "{\"frozen\":\"yes\"}", "{\"now\":1}",
        "[",
        "{\"set\":\"1960-01-01T00:00:00Z\"}", "{\"advanceMilliseconds\":99999999999999999999}",
    ]

    @Test(arguments: refused)
    func `what it can't be set to is refused and changes nothing`(_ body: String) throws {
        let server = try TestModeServer(.memory)
        _ = try server.root.ask("POST", "/_test/clock", "{\"set\":\"2030-05-01T10:00:00Z\",\"frozen\":true}")
        #expect(try server.root.ask("POST", "/_test/clock", body).code == 400)
        #expect(try server.root.ask("GET", "/_test/clock").json["now"] == "2030-05-01T10:00:00.000Z")
    }

    @Test(arguments: TestModeServer.Store.all)
    func `two runs of one script from one seed are the same byte by byte`(_ store: TestModeServer.Store) throws {
        let runs = try (0..<2).map { _ in
            let server = try TestModeServer(
                store, ["tables/TodoItem.yaml": Self.seeded, "zumod.yaml": "pageSize: 2\n"])
            let world = try server.world(
                "{\"name\":\"a\",\"seed\":42,\"clock\":\"2030-05-01T10:00:00Z\",\"frozen\":true}")
            let first = try Self.script(in: world)
            _ = try world.ask(
                "POST", "/_test/reset", "{\"seed\":42,\"clock\":\"2030-05-01T10:00:00Z\",\"frozen\":true}")
            #expect(try Self.script(in: world) == first)
            return first.map { $0.replacing("\(server.port)", with: "PORT") }
        }
        #expect(runs[0] == runs[1])
        #expect(runs[0].contains { $0.contains("rel=next") })
    }

    private static let seeded = """
        columns: { text: string }
        softDelete: true
        seed: [ { text: first }, { text: second }, { text: third } ]
        """

    /// Inserts with ids of the server's, faults by chance, pages and their links.
    private static func script(in world: TestWorld) throws -> [String] {
        var transcript: [String] = []
        func note(_ answer: WireResponse) {
            let fields = answer.fields.map { "\($0.name): \($0.value)" }
            transcript.append(([answer.status] + fields + [answer.text]).joined(separator: "\n"))
        }
        try world.fault("\"method\":\"PATCH\",\"probability\":0.5,\"status\":503")
        for number in 0..<6 {
            let made = try world.ask("POST", "/tables/TodoItem", "{\"text\":\"\(number)\"}")
            note(made)
            let id = made.json["id"]?.textValue ?? ""
            note(try world.ask("PATCH", "/tables/TodoItem/\(id)", "{\"text\":\"new\"}"))
            _ = try world.ask("POST", "/_test/clock", "{\"advanceMilliseconds\":7}")
        }
        let page = try world.ask("GET", "/tables/TodoItem?$orderby=text")
        note(page)
        return transcript
    }
}
