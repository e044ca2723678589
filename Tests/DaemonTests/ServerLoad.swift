import Foundation
import Synchronization
import Testing
import WireTesting

/// Clients that insert, update, delete and restore rows through several servers of one database, and what they were told.
final class ServerLoad: Sendable {
    private struct State {
        var ports: [UInt16]
        /// Every acknowledged write, in no order.
        var acknowledged: [SeenRow] = []
        /// Rows one of whose writes was sent and not answered.
        var doubtful: Set<String> = []
        /// Rows whose insert was answered with 503.
        var refused: Set<String> = []
        var faults: [String] = []
    }

    private enum Answer {
        case done(SeenRow)
        case refused, unknown
    }

    /// How many times a server is killed under load on each database; `ZUMOD_TEST_KILLS` says otherwise.
    static let kills = Int(ProcessInfo.processInfo.environment["ZUMOD_TEST_KILLS"] ?? "") ?? 4

    private let state: Mutex<State>
    private let isOver = Atomic(false)

    /// - Parameter ports: of the servers.
    init(ports: [UInt16]) {
        state = Mutex(State(ports: ports))
    }

    /// Says where a server is after it was started again.
    func move(_ server: Int, to port: UInt16) {
        state.withLock { $0.ports[server] = port }
    }

    func stop() {
        isOver.store(true, ordering: .relaxed)
    }

    /// Lets writers write again.
    func resume() {
        isOver.store(false, ordering: .relaxed)
    }

    var isStopped: Bool { isOver.load(ordering: .relaxed) }

    var written: Int { state.withLock { $0.acknowledged.count } }

    /// Waits for so many more acknowledged writes.
    func waits(forMore count: Int) async throws -> Bool {
        let wanted = written + count
        return try await Patience.eventually { written >= wanted }
    }

    /// What a writer does to each of its rows, in this order.
    private enum Change: CaseIterable {
        case insert, update, delete, undelete, edit, remove

        /// Every other row lives in the end.
        static func all(of number: Int) -> [Change] {
            number.isMultiple(of: 2) ? allCases : [.insert, .update, .delete, .undelete, .edit]
        }
    }

    /// Where a server is.
    func port(of server: Int) -> UInt16 {
        state.withLock { $0.ports[server % $0.ports.count] }
    }

    /// Writes until it is stopped, on a connection that is kept. Each row is one writer's, inserted once and changed a
    /// few times, so that 404, 409 and 412 would mean that a write was repeated that had been done.
    func write(_ writer: Int) {
        var client: WireClient?
        var server = writer
        var number = 0
        while !isStopped {
            number += 1
            let id = "w\(writer)-\(number)"
            var version: String?
            for change in Change.all(of: number) {
                if client == nil { client = try? WireClient(port: port(of: server)) }
                guard let connected = client, case .done(let row) = send(connected, id, change, version) else {
                    // The next request goes to the other server.
                    client = nil
                    server += 1
                    Thread.sleep(forTimeInterval: 0.01)
                    break
                }
                version = row.version
            }
        }
    }

    private func send(_ client: WireClient, _ id: String, _ change: Change, _ version: String?) -> Answer {
        let path = "/tables/TodoItem/\(id)"
        let tag = version.map { ["If-Match: \"\($0)\""] } ?? []
        let body = "{\"id\":\"\(id)\",\"text\":\"\(change)\"}"
        let response: WireResponse
        let row: SeenRow
        do {
            switch change {
            case .insert: response = try client.exchange("POST", "/tables/TodoItem", body)
            case .update, .edit: response = try client.exchange("PATCH", path, body, tag)
            case .delete, .remove: response = try client.exchange("DELETE", path, "", tag)
            case .undelete: response = try client.exchange("POST", path, "", tag)
            }
            if response.code == 503, response.text.contains("may have been done") {
                state.withLock { _ = $0.doubtful.insert(id) }
                return .unknown
            }
            if response.code == 503 {
                if change == .insert { state.withLock { _ = $0.refused.insert(id) } }
                return .refused
            }
            guard response.code == (change == .insert || change == .undelete ? 201 : 200) else {
                state.withLock { $0.faults.append("\(id): \(response.status) \(response.text)") }
                return .refused
            }
            row = try response.row
        } catch {
            state.withLock { _ = $0.doubtful.insert(id) }
            return .unknown
        }
        state.withLock { $0.acknowledged.append(row) }
        return .done(row)
    }

    /// Expects that every acknowledged write is in the rows, as it was answered or later where an answer was lost, that
    /// no refused insert is, and that no version or stamp was given twice.
    func check(_ rows: [SeenRow]) {
        let state = state.withLock { $0 }
        #expect(state.faults.isEmpty, "\(state.faults.prefix(3))")
        let found = Dictionary(rows.map { ($0.id, $0) }) { first, _ in first }
        #expect(found.count == rows.count)
        var last: [String: SeenRow] = [:]
        for row in state.acknowledged where row.counter > last[row.id]?.counter ?? 0 { last[row.id] = row }
        for row in last.values {
            guard let now = found[row.id] else {
                Issue.record("\(row.id) was acknowledged and is gone")
                continue
            }
            let isLater = now.counter > row.counter && state.doubtful.contains(row.id)
            #expect(now == row || isLater, "\(row.id)")
        }
        let repeated = state.refused.filter { found[$0] != nil }
        #expect(repeated.isEmpty, "refused and there: \(repeated.prefix(3))")
        let all = Set(state.acknowledged).union(rows).sorted { $0.counter < $1.counter }
        #expect(Set(all.map(\.version)).count == all.count)
        let stamps = all.map(\.updatedAt)
        #expect(Set(stamps).count == all.count)
        #expect(stamps == stamps.sorted())
    }
}
