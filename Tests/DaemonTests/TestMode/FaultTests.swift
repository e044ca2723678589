import Foundation
import JSONText
import Testing
import WireTesting

@Suite("Faults", .ownThread)
struct FaultTests {
    /// Rules that are none, and what the refusal has to say.
    static let refused: [(String, String)] = [
        ("", "does nothing"), ("\"close\":\"soon\"", "beforeReading, afterReading"), ("\"status\":200", "400 to 599"),
        ("\"status\":503,\"close\":\"afterCommit\"", "one effect"), ("\"nth\":0,\"status\":500", "'nth'"),
        ("\"nth\":1,\"every\":2,\"status\":500", "one of nth"), ("\"probability\":1.5,\"status\":500", "'probability'"),
        ("\"times\":0,\"status\":500", "'times'"), ("\"retryAfter\":1,\"stale\":true", "'retryAfter'"),
        ("\"refuse\":true", "'times'"), ("\"refuse\":true,\"times\":1,\"method\":\"GET\"", "no condition"),
        ("\"operation\":\"upsert\",\"stale\":true", "undelete"), ("\"stauts\":500", "'stauts'"),
        ("\"name\":\"a b\",\"status\":500", "'name'"), ("\"delayMilliseconds\":600001", "'delayMilliseconds'"),
        ("\"truncateBytes\":1e400", "JSON"), ("\"bytesPerSecond\":0", "'bytesPerSecond'"),
        ("\"overtake\":1", "'overtake'"),
    ]

    @Test func `what is no rule is refused with the reason`() throws {
        let server = try TestModeServer(.memory)
        for (rule, words) in Self.refused {
            let answer = try server.root.fault(rule)
            #expect(answer.code == 400 && answer.text.contains(words), "\(rule): \(answer.text)")
        }
        #expect(try server.world().fault("\"refuse\":true,\"times\":1").code == 400)
        #expect(try server.root.ask("GET", "/_test/faults").json["faults"] == .array([]))
    }

    @Test func `they strike the requests that are meant, as often as they are to, and say how often`() throws {
        let server = try TestModeServer(.memory)
        let world = try server.world()
        for id in ["a", "b"] { try world.insert(id) }
        /// A rule, requests, and which of them it strikes.
        let cases: [(String, [(String, String)], [Bool])] = [
            (
                "\"nth\":2",
                [("GET", "/tables/TodoItem/a"), ("GET", "/tables/TodoItem/a"), ("GET", "/tables/TodoItem/a")],
                [false, true, false]
            ),
            (
                "\"every\":2,\"times\":1", Array(repeating: ("GET", "/healthz"), count: 5),
                [false, true, false, false, false]
            ),
            (
                "\"operation\":\"read\",\"path\":\"/tables/*/b\"",
                [
                    ("GET", "/tables/TodoItem/a"), ("GET", "/tables/todoitem/b"),
                    ("GET", "/tables/TodoItem"), ("DELETE", "/tables/TodoItem/b"),
                ], [false, true, false, false]
            ),
            (
                "\"table\":\"TODOITEM\",\"method\":\"delete\"",
                [
                    ("GET", "/tables/TodoItem/a"), ("DELETE", "/tables/TodoItem/a"),
                    ("DELETE", "/tables/Other/a"),
                ], [false, true, false]
            ),
        ]
        for (rule, requests, expected) in cases {
            _ = try world.ask("DELETE", "/_test/faults")
            #expect(try world.fault("\(rule),\"status\":418").code == 201)
            let struck = try requests.map { try world.ask($0.0, $0.1).code == 418 }
            #expect(struck == expected, "\(rule)")
            let listed = try world.ask("GET", "/_test/faults").json["faults"]?.elements?.first
            #expect(listed?["struck"] == .integer(Int64(expected.count { $0 })), "\(rule)")
        }
    }

    @Test func `many requests at once are struck no more often than the rule says`() async throws {
        let server = try TestModeServer(.memory)
        let world = try server.world()
        try world.fault("\"times\":7,\"status\":503")
        let codes = try await inParallel(8) { _ in try (0..<10).map { _ in try world.ask("GET", "/healthz").code } }
        #expect(codes.flatMap(\.self).count { $0 == 503 } == 7)
    }

    @Test func `the answers before a lost one arrive, in one connection`() throws {
        let server = try TestModeServer(.memory)
        try server.root.fault("\"path\":\"/readyz\",\"close\":\"afterReading\"")
        let client = try WireClient(port: server.port)
        try client.send("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\nGET /readyz HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(try client.response().code == 200)
        #expect(client.isClosedByServer())
    }

    /// A client may close and its connection still be there: a process that is being started at that moment holds a copy
    /// of each descriptor until it has begun.
    @Test(arguments: TestModeServer.Store.all)
    func `a change whose answer got lost is known again while its client's connection is still there`(
        _ store: TestModeServer.Store
    ) throws {
        let server = try TestModeServer(store)
        let world = try server.world()
        let tag = try world.insert("a", "first")["ETag"] ?? ""
        let (body, fields) = ("{\"text\":\"second\"}", ["X-ZUMO-INSTALLATION-ID: phone", "If-Match: \(tag)"])
        try world.fault("\"operation\":\"update\",\"times\":1,\"close\":\"afterCommit\"")
        let lost = try WireClient(port: server.port)
        try lost.send(world.request("PATCH", "/tables/TodoItem/a", body, fields))
        #expect(throws: WireClient.Failure.incomplete(received: "")) { try lost.response() }
        let again = try world.ask("PATCH", "/tables/TodoItem/a", body, fields)
        #expect(again.code == 200 && again.json["text"] == "second")
        // That answer is the one that arrived.
        let other = try world.ask("PATCH", "/tables/TodoItem/a", body, fields)
        #expect(other.code == 412 && other["ETag"] == again["ETag"])
        withExtendedLifetime(lost) {}
    }

    @Test func `a body that isn't to be read is neither asked for nor taken`() throws {
        let server = try TestModeServer(.memory)
        try server.root.fault("\"method\":\"POST\",\"close\":\"beforeReading\"")
        let client = try WireClient(port: server.port)
        try client.send(
            "POST /tables/TodoItem HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 20\r\n"
                + "Expect: 100-continue\r\n\r\n")
        #expect(throws: WireClient.Failure.incomplete(received: "")) { try client.response() }
        #expect(try server.root.ids() == [])
        #expect(try server.root.ask("GET", "/_test/requests?status=none").json["count"] == 1)
    }

    @Test func `an answer breaks off, ends too early, or is an old one`() throws {
        let server = try TestModeServer(.memory)
        let world = try server.world()
        try world.insert("a", "first")
        let first = try world.ask("GET", "/tables/TodoItem/a")
        _ = try world.ask("PATCH", "/tables/TodoItem/a", "{\"text\":\"second\"}")
        try world.fault("\"close\":\"midAnswer\",\"times\":1")
        #expect(throws: WireClient.Failure.self) { try world.ask("GET", "/tables/TodoItem/a") }
        try world.fault("\"truncateBytes\":5,\"times\":1")
        #expect(try world.ask("GET", "/tables/TodoItem/a").text == "{\"id\"")
        try world.fault("\"stale\":true,\"times\":1")
        let stale = try world.ask("GET", "/tables/TodoItem/a")
        #expect(stale.body == first.body && stale["ETag"] == first["ETag"])
        #expect(try world.ask("GET", "/tables/TodoItem/a").json["text"] == "second")
    }

    @Test func `somebody else is faster, and the row in the way is theirs`() throws {
        let server = try TestModeServer(.memory)
        let world = try server.world()
        let tag = try world.insert("a", "first")["ETag"] ?? ""
        try world.fault("\"operation\":\"update\",\"overtake\":{\"text\":\"theirs\"}")
        let late = try world.ask("PATCH", "/tables/TodoItem/a", "{\"text\":\"mine\"}", ["If-Match: \(tag)"])
        #expect(late.code == 412)
        #expect(late.json["text"] == "theirs")
    }

    @Test func `new connections are refused as often as they are to be`() throws {
        let server = try TestModeServer(.memory)
        let client = try WireClient(port: server.port)
        try client.send("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(try client.response().code == 200)
        #expect(try server.root.fault("\"refuse\":true,\"times\":2").code == 201)
        for _ in 0..<2 { #expect(throws: WireClient.Failure.self) { try server.root.ask("GET", "/healthz") } }
        #expect(try server.root.ask("GET", "/healthz").code == 200)
        // A connection that was there before goes on.
        try client.send("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(try client.response().code == 200)
    }
}
