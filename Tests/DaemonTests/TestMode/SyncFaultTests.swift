import Foundation
import JSONText
import SyncTesting
import Testing
import WireTesting

/// Each library syncs while something goes wrong at each of its requests: at the end its copy is what the server has,
/// and what the user did is there once.
@Suite("Clients whose requests go wrong", .ownThread)
struct SyncFaultTests {
    private static let files = [
        "tables/TodoItem.yaml": """
        columns: { text: string }
        softDelete: true
        seed: [ { id: row-0, text: seed }, { id: row-1, text: seed }, { id: row-2, text: seed }, { id: row-3, text: seed } ]
        """,
        "zumod.yaml": "pageSize: 3\n",
    ]

    /// What goes wrong, with what of it another device may have written.
    static let faults = [
        "\"close\":\"beforeReading\"", "\"close\":\"afterReading\"", "\"close\":\"afterCommit\"",
        "\"close\":\"midAnswer\"", "\"status\":408", "\"status\":429,\"retryAfter\":1", "\"status\":500",
        "\"status\":502", "\"status\":503,\"retryAfter\":1", "\"truncateBytes\":9", "\"bytesPerSecond\":100000",
        "\"delayMilliseconds\":2", "\"stale\":true", overtaking,
    ]
    private static let overtaking = "\"overtake\":{\"text\":\"theirs\"}"

    @Test(arguments: ClientKind.served)
    func `end with the server's rows, and lose and double nothing`(_ kind: ClientKind) throws {
        try Self.run(kind, on: .memory, faults: Self.faults, everyPoint: true)
    }

    @Test(
        .enabled(if: SharedDatabase.server != nil, "no server is given: run scripts/test-postgres"),
        arguments: ClientKind.served)
    func `do so on PostgreSQL`(_ kind: ClientKind) throws {
        let faults = ["\"close\":\"afterCommit\"", "\"close\":\"midAnswer\"", "\"status\":503", Self.overtaking]
        try Self.run(kind, on: .postgres, faults: faults, everyPoint: false)
    }

    private static func run(
        _ kind: ClientKind, on store: TestModeServer.Store, faults: [String], everyPoint: Bool
    ) throws {
        let server = try TestModeServer(store, files)
        let world = try server.world()
        var wrong = try sync(kind, in: world)
        let count = Int(try world.ask("GET", "/_test/requests/count?path=/tables/**").json["count"]?.integerValue ?? 0)
        // The last two only look whether all is well.
        let points = everyPoint ? Array(1...(count - 2)) : [1, count / 2, count - 2]
        #expect(points.count > 2)
        for fault in faults {
            for point in points {
                _ = try world.ask("POST", "/_test/reset")
                try world.fault("\"path\":\"/tables/**\",\"nth\":\(point),\(fault)")
                let found = try sync(kind, in: world, mayBeOvertaken: fault == overtaking)
                wrong += found.map { "\(fault) at request \(point): \($0)" }
                let rule = try world.ask("GET", "/_test/faults").json["faults"]?.elements?.first
                if rule?["struck"] != 1 { wrong.append("\(fault) at request \(point) did not strike") }
            }
        }
        #expect(wrong == [])
    }

    /// Pulls, changes rows offline, and syncs until it has worked.
    /// - Returns: what is not as it should be.
    private static func sync(
        _ kind: ClientKind, in world: TestWorld, mayBeOvertaken: Bool = false
    ) throws -> [String] {
        let client = SyncClient(kind, PullSettings(table: "TodoItem", pageSize: 3), below: world.path) { world.port }
        guard insist({ try client.pull() }) else { return ["the first pull never worked"] }
        let seeds = client.rows.count
        for id in ["new-1", "new-2"] { client.insert(id, ["text": .string("mine")]) }
        client.update("row-1", ["text": .string("mine")])
        client.update("row-2", ["text": .string("mine")])
        client.delete("row-3")
        guard insist({ try client.pull() }), insist({ try client.pull() }) else { return ["the sync never worked"] }
        var wrong = client.hasPendingOperations ? ["something is still to be pushed"] : []
        if seeds != 4 { wrong.append("the first pull had \(seeds) rows") }
        let rows = try ServerRows(of: "TodoItem", port: world.port, below: world.path)
        wrong += rows.differences(from: client.rows)
        for id in ["new-1", "new-2", "row-1", "row-2"] {
            let text = rows.live[id]?.columns["text"]
            if text != .string("mine"), !(mayBeOvertaken && text == .string("theirs")) {
                wrong.append("\(id): \(text as Any)")
            }
        }
        if let row = rows.live["row-3"], !mayBeOvertaken || row.columns["text"] != .string("theirs") {
            wrong.append("row-3 lives")
        }
        return wrong
    }

    /// The Community Toolkit says of no request which device sends it, so that its writes can't be known again.
    private static let unknown: Set<ClientKind> = [.toolkit]

    @Test(arguments: ClientKind.served)
    func `whose answer got lost meet themselves in a conflict where a server remembers no writes, and not on this one`(
        _ kind: ClientKind
    ) throws {
        for (lines, remembers) in [("", !Self.unknown.contains(kind)), ("repeatWindow: 0\n", false)] {
            let server = try TestModeServer(.memory, ["zumod.yaml": lines])
            for (operation, conflict) in [("insert", 409), ("update", 412)] {
                let world = try server.world()
                let client = SyncClient(kind, PullSettings(table: "TodoItem"), below: world.path) { world.port }
                client.insert("row", ["text": .string("first")])
                if operation == "update" {
                    try client.push()
                    client.update("row", ["text": .string("second")])
                }
                try world.fault("\"path\":\"/tables/**\",\"nth\":1,\"close\":\"afterCommit\"")
                #expect(throws: SyncFailure.connectionLost) { try client.push() }
                client.connection.forget()
                try? client.push()
                let codes = client.connection.exchanges.map(\.code).filter { $0 >= 400 }
                #expect(codes == (remembers ? [] : [conflict]), "\(kind), \(operation), \(lines)")
            }
        }
    }

    /// Tries again as an app does that is told of a failure.
    private static func insist(_ body: () throws -> Void) -> Bool {
        for _ in 0..<4 where (try? body()) != nil { return true }
        return false
    }
}
