import Foundation
import JSONText
import SeedTesting
import SyncTesting
import Testing
import WireTesting

@Suite("Clients that sync while servers are killed", .ownThread, .serialized)
struct TortureTests {
    /// Where the rows are and who serves them.
    enum Setting: String, CaseIterable, CustomTestStringConvertible {
        case oneOnSQLite = "one server on SQLite"
        case twoOnPostgres = "two servers on one PostgreSQL database"

        var testDescription: String { rawValue }

        static let all = allCases.filter { $0 == .oneOnSQLite || SharedDatabase.server != nil }
    }

    @Test(arguments: Setting.all)
    func `every copy equals the server's rows, and no acknowledged write is lost`(_ setting: Setting) async throws {
        var generator = SeededGenerator(seed: SeededGenerator.printedSeed(of: "torturing \(setting.rawValue)"))
        let database = try setting == .twoOnPostgres ? SharedDatabase() : nil
        let arguments = database.map { ["--database", $0.url] } ?? []
        let workplaces = try (0..<(database == nil ? 1 : 2)).map { _ in try Workplace(["zumod.yaml": "pageSize: 20\n"])
        }
        var servers = try workplaces.map { try Daemon($0, arguments: arguments) }
        let load = ServerLoad(ports: servers.map(\.port))
        let quiet = Meeting(8 + ClientKind.served.count)
        var copies: [TorturedClient.Result] = []
        try await withThrowingTaskGroup { group in
            defer { load.stop() }
            for writer in 0..<8 {
                group.addTask(executorPreference: OwnThread()) {
                    defer { quiet.arrive() }
                    load.write(writer)
                    return nil as TorturedClient.Result?
                }
            }
            for kind in ClientKind.served {
                let pageSize = Int.random(in: 2...50, using: &generator)
                group.addTask(executorPreference: OwnThread()) {
                    try TorturedClient(kind, pageSize: pageSize, load).run(until: quiet)
                }
            }
            for _ in 0..<ServerLoad.kills {
                #expect(try await load.waits(forMore: 40))
                try await Task.sleep(for: .milliseconds(Int.random(in: 0..<1_000, using: &generator)))
                let victim = Int.random(in: 0..<servers.count, using: &generator)
                servers[victim].send(signal: SIGKILL)
                #expect(servers[victim].exit() == SIGKILL)
                servers[victim] = try Daemon(workplaces[victim], arguments: arguments)
                load.move(victim, to: servers[victim].port)
            }
            #expect(try await load.waits(forMore: 40))
            load.stop()
            for try await result in group { if let result { copies.append(result) } }
        }
        for server in servers {
            #expect(try await server.isReady())
            load.check(try server.client().allRows())
            let rows = try ServerRows(of: "TodoItem", port: server.port)
            for copy in copies {
                #expect(rows.differences(from: copy.rows).prefix(5) == [], "\(copy.kind)")
                #expect(copy.own.filter { rows.live[$0.key]?.columns["text"] != $0.value } == [:], "\(copy.kind)")
            }
            #expect(server.stop() == 0)
        }
        #expect(copies.count == ClientKind.served.count)
    }
}

/// A client that pulls again and again, writes a little of its own, and loses its server now and then.
private struct TorturedClient {
    struct Result {
        let kind: ClientKind
        let rows: [String: SyncedRow]
        /// The texts of the rows that it made itself.
        let own: [String: JSONValue]
    }

    private final class Place {
        var server = 0
    }

    private let kind: ClientKind
    private let load: ServerLoad
    private let client: SyncClient
    private let place = Place()

    init(_ kind: ClientKind, pageSize: Int, _ load: ServerLoad) {
        self.kind = kind
        self.load = load
        let place = place
        client = SyncClient(kind, PullSettings(table: "TodoItem", pageSize: pageSize), choice: .clientWins) {
            load.port(of: place.server)
        }
    }

    /// Syncs until the load has ended, and once more when everybody has pushed all.
    func run(until quiet: Meeting) throws -> Result {
        var own: [String: JSONValue] = [:]
        var round = 0
        try quiet.attend {
            while !load.isStopped {
                round += 1
                let id = "\(kind.rawValue.filter { $0 != " " && $0 != "." })-\(round / 2)"
                let text = JSONValue.string("round \(round)")
                if own.updateValue(text, forKey: id) == nil {
                    client.insert(id, ["text": text])
                } else {
                    client.update(id, ["text": text])
                }
                _ = try sync()
            }
            try settle()
        }
        try settle()
        return Result(kind: kind, rows: client.rows, own: own)
    }

    /// Syncs until it succeeds: for a minute at most.
    private func settle() throws {
        let deadline = Date.now.addingTimeInterval(60)
        while try !sync() { try #require(Date.now < deadline) }
    }

    /// - Returns: whether all was pushed and pulled; false where the server went away.
    private func sync() throws -> Bool {
        client.connection.forget()
        do throws(SyncFailure) {
            try client.pull()
            return true
        } catch {
            switch error {
            case .connectionLost: break
            case .refused(let status, _) where status.hasPrefix("503"): break
            case .refused, .unreadable: throw error
            }
            place.server += 1
            Thread.sleep(forTimeInterval: 0.01)
            return false
        }
    }
}
