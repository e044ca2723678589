import Foundation
import JSONText
import Testing
import WireTesting

@Suite("A world's resets and snapshots", .ownThread)
struct ResetTests {
    private static let files = [
        "tables/TodoItem.yaml": "columns: { text: string }\nsoftDelete: true\nseed: [ { id: seeded, text: first } ]\n",
        "zumod.yaml": "autoCreateTables: true\n",
    ]

    @Test(arguments: TestModeServer.Store.all)
    func `a reset brings back the seeds, the time and the tables, and takes faults and record`(
        _ store: TestModeServer.Store
    ) throws {
        let server = try TestModeServer(store, Self.files)
        for world in [server.root, try server.world()] {
            let seeded = try world.ask("GET", "/tables/TodoItem/seeded")
            try world.insert("mine")
            #expect(try world.ask("POST", "/tables/Other", "{\"id\":\"x\"}").code == 201)
            _ = try world.ask("DELETE", "/tables/TodoItem/seeded")
            try world.fault("\"status\":500")
            _ = try world.ask("POST", "/_test/clock", "{\"set\":\"2040-01-01T00:00:00Z\",\"frozen\":true}")
            #expect(try world.ask("POST", "/_test/reset").code == 204)
            #expect(try world.ids() == ["seeded"])
            #expect(try world.ask("GET", "/tables/TodoItem/seeded").body == seeded.body)
            #expect(try world.ask("GET", "/tables/Other?$top=1").json == .array([]))
            #expect(try world.ask("GET", "/_test/faults").json["faults"]?.elements?.isEmpty == true)
            #expect(try world.ask("GET", "/_test/clock").json["frozen"] == false)
            #expect(try world.ask("GET", "/_test/requests").json["count"] == 3)
        }
    }

    @Test(arguments: TestModeServer.Store.all)
    func `a snapshot keeps rows, tombstones, versions, registrations and the clock, until it is deleted`(
        _ store: TestModeServer.Store
    ) throws {
        let server = try TestModeServer(store, Self.files)
        let world = try server.world()
        _ = try world.ask("POST", "/_test/clock", "{\"set\":\"2040-01-01T00:00:00Z\",\"frozen\":true}")
        try world.insert("kept")
        _ = try world.ask("DELETE", "/tables/TodoItem/seeded")
        let made = try world.ask("POST", "/push/registrationids")["Location"]?.split(separator: "/").last ?? ""
        func push(_ method: String) throws -> Int {
            try world.ask(method, "/push/registrations/\(made)", "{\"deviceId\":\"d\",\"platform\":\"gcm\"}").code
        }
        #expect(try push("PUT") < 300)
        func registrations() throws -> Int? {
            try world.ask("GET", "/push/registrations?deviceId=d").json.elements?.count
        }
        #expect(try registrations() == 1)
        let before = try world.ask("GET", "/tables/TodoItem?__includeDeleted=true&$orderby=id")
        #expect(try world.ask("POST", "/_test/snapshots/s").code == 201)
        #expect(try world.ask("GET", "/_test/snapshots").json["snapshots"] == ["s"])
        for _ in 0..<2 {
            try world.insert("later")
            _ = try world.ask("POST", "/tables/TodoItem/seeded")
            #expect(try push("DELETE") < 300)
            #expect(try registrations() == 0)
            _ = try world.ask("POST", "/_test/clock", "{\"frozen\":false}")
            #expect(try world.ask("POST", "/_test/snapshots/s/restore").code == 204)
            let after = try world.ask("GET", "/tables/TodoItem?__includeDeleted=true&$orderby=id")
            #expect(after.text == before.text)
            #expect(try registrations() == 1)
            #expect(try world.ask("GET", "/_test/clock").json["now"] == "2040-01-01T00:00:00.000Z")
        }
        #expect(try world.ask("DELETE", "/_test/snapshots/s").code == 204)
        #expect(try world.ask("POST", "/_test/snapshots/s/restore").code == 404)
    }

    @Test(arguments: TestModeServer.Store.all)
    func `a world begins with a snapshot of the one without a name, and leaves it as it was`(
        _ store: TestModeServer.Store
    ) throws {
        let server = try TestModeServer(store, Self.files)
        try server.root.insert("prepared")
        #expect(try server.root.ask("POST", "/_test/snapshots/base").code == 201)
        let world = try server.world("{\"snapshot\":\"base\"}")
        #expect(try world.ids() == ["prepared", "seeded"])
        try world.insert("own")
        #expect(try server.world("{\"snapshot\":\"base\"}").ids() == ["prepared", "seeded"])
        #expect(try server.root.ids() == ["prepared", "seeded"])
    }

    @Test(arguments: TestModeServer.Store.all)
    func `no request sees half of a reset, and none fails for it`(_ store: TestModeServer.Store) async throws {
        let server = try TestModeServer(store, Self.files)
        let world = try server.world()
        let resets = store == .memory ? 60 : 12
        let wrong = try await inParallel(5) { number -> [String] in
            var wrong: [String] = []
            for round in 0..<(number == 0 ? resets : 4 * resets) {
                if number == 0 {
                    let answer = try world.ask("POST", "/_test/reset")
                    if answer.code != 204 { wrong.append(answer.text) }
                    continue
                }
                let written = try world.insert("row-\(number)-\(round)")
                if written.code != 201 { wrong.append(written.text) }
                let seeded = try world.ask("GET", "/tables/TodoItem/seeded")
                if seeded.code != 200 { wrong.append(seeded.text) }
            }
            return wrong
        }
        #expect(wrong.flatMap(\.self) == [])
        #expect(try world.ask("POST", "/_test/reset").code == 204)
        #expect(try world.ids() == ["seeded"])
    }

    @Test(arguments: TestModeServer.Store.all)
    func `what was held up before a reset is not done after it`(_ store: TestModeServer.Store) async throws {
        let server = try TestModeServer(store, Self.files)
        let world = try server.world()
        // As long as a busy machine needs to have the reset done before the time is over.
        var isInTime = false
        for delay in [1_500, 3_000, 6_000, 12_000, 24_000, 48_000] where !isInTime {
            #expect(try world.ask("POST", "/_test/reset").code == 204)
            try world.fault("\"method\":\"POST\",\"table\":\"todoitem\",\"delayMilliseconds\":\(delay)")
            let begun = ContinuousClock.now
            async let late = inParallel(1) { _ in try? world.insert("late") }
            while try world.ask("GET", "/_test/faults").json["faults"]?.elements?.first?["struck"] != 1 {}
            #expect(try world.ask("POST", "/_test/reset").code == 204)
            isInTime = begun.duration(to: .now) < .milliseconds(delay)
            let answers = try await late.compactMap { $0 }
            guard isInTime else { continue }
            #expect(answers.isEmpty)
            #expect(try world.ids() == ["seeded"])
            #expect(try world.ask("GET", "/_test/requests/count?method=POST").json["count"] == 0)
        }
        #expect(isInTime)
    }

    @Test func `a world without a body begins again as it began`() throws {
        let server = try TestModeServer(.memory, Self.files)
        let world = try server.world("{\"seed\":3,\"clock\":\"2030-01-01T00:00:00Z\",\"frozen\":true}")
        let first = try world.ask("POST", "/tables/TodoItem", "{}")
        _ = try world.ask("POST", "/_test/clock", "{\"frozen\":false}")
        #expect(try world.ask("POST", "/_test/reset").code == 204)
        #expect(try world.ask("POST", "/tables/TodoItem", "{}").body == first.body)
    }

    @Test func `a stop waits for nothing that is held up on purpose`() throws {
        let server = try TestModeServer(.memory)
        try server.root.fault("\"path\":\"/healthz\",\"delayMilliseconds\":600000")
        let client = try WireClient(port: server.port)
        try client.send("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
        while try server.root.ask("GET", "/_test/faults").json["faults"]?.elements?.first?["struck"] != 1 {}
        let start = ContinuousClock.now
        #expect(server.daemon.stop() == 0)
        #expect(start.duration(to: .now) < Patience.time(.seconds(25)))
    }
}
