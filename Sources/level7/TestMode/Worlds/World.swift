import ByteText
import CustomAPI
import Exchanges
import HTTPModel
import Scalars
import ServerApp
import Synchronization
import TableOperations
import Tables
import Webhooks
import ZumoProtocol

/// A whole server for one test, with its own tables and rows, users, clock, faults and record.
final class World: Sendable {
    /// How a world starts.
    struct Beginning: Sendable {
        /// The seed of its ids and random numbers; nil for the system's randomness.
        var seed: UInt64?
        /// The time its clock starts at, an hour after the first rows' stamps; nil for the machine's time.
        var clock: Instant?
        /// Whether its clock stands still.
        var isFrozen = false
    }

    /// What requests run against, replaced as a whole.
    struct Stage: Sendable {
        let open: WorldDatabases.Open
        let served: ServedWorld
    }

    /// A saved state that the world can return to.
    private struct Snapshot: Sendable {
        let state: WorldDatabases.State
        let push: PushRegistry
        let clock: TestClock
    }

    /// nil for the unnamed world, whose paths have no prefix.
    let name: String?
    let clock = TestClock()
    let bits = SeededBits(seed: 0)
    let faults: FaultPlan
    let record: ExchangeRecord
    private let gate = WorldLock()
    private let factory: WorldFactory
    private let stage: Mutex<Stage>
    private let snapshots = Mutex<[ExactText: Snapshot]>([:])
    private let eras = Atomic(0)
    private let isEnded = Atomic(false)
    private let beginning: Beginning
    /// Whether the server is stopping, so that deliberate waits end.
    let isHurried: @Sendable () -> Bool

    /// How often it was reset: a request belongs to one era only.
    var era: Int { eras.load(ordering: .acquiring) }

    /// The maximum number of snapshots of a world.
    static let maximumSnapshots = 100

    /// Creates a world.
    /// - Parameter state: the initial state of its database.
    init(
        _ name: String?, from state: WorldDatabases.State, _ beginning: Beginning, in factory: WorldFactory
    ) async throws(TableError) {
        self.name = name
        self.factory = factory
        self.beginning = beginning
        isHurried = factory.isHurried
        faults = FaultPlan(by: bits)
        record = ExchangeRecord(name == nil ? ExchangeRecord.Limits() : Self.recordLimits)
        Self.begin(clock, bits, beginning)
        stage = Mutex(
            try await factory.stage(from: state, clock: clock, isSeeded: beginning.seed != nil))
    }

    /// The limits of a named world's record, as there may be many such worlds.
    private static let recordLimits = ExchangeRecord.Limits(count: 2_000, bytes: 4 << 20, bodyBytes: 256 << 10)

    private static func begin(_ clock: TestClock, _ bits: SeededBits, _ beginning: Beginning) {
        clock.reset()
        // Before the time is set, so that it shows exactly that.
        if beginning.isFrozen { clock.freeze() }
        if let start = beginning.clock { clock.set(start) }
        bits.restart(at: beginning.seed ?? .random(in: .min ... .max))
    }

    // MARK: Requests

    /// Answers a request as the server does, with this world's clock and random numbers.
    /// - Returns: the answer and the era in which it was made; nil if the world has ended.
    func respond(to request: HTTPRequest) async -> (response: HTTPResponse, era: Int)? {
        await gate.pass {
            guard !isEnded.load(ordering: .acquiring) else { return nil }
            let era = era
            let handler = stage.withLock { $0.served.handler }
            return (await living { await handler.respond(to: request) }, era)
        }
    }

    /// Answers something that never became a request.
    func response(to fault: HTTPFault, after request: HTTPRequest) -> HTTPResponse {
        stage.withLock { $0.served.handler }.response(to: fault, after: request)
    }

    /// Completes an answer that the server did not make, so that it looks like one of the server's.
    func signed(_ response: HTTPResponse, to request: HTTPRequest) -> HTTPResponse {
        stage.withLock { $0.served.handler }.signed(response, to: request)
    }

    /// Logs an answer that broke off.
    func didBreakOff(_ answer: HTTPResponse, to request: HTTPRequest, because error: any Error) {
        stage.withLock { $0.served.handler }.didBreakOff(answer, to: request, because: error)
    }

    /// Writes a row as another device would, without a precondition.
    /// - Parameter columns: the new values; if empty, a column is set to the value it has.
    func touch(_ table: String, _ id: String, _ columns: Record) async throws(RowsError) -> Record {
        try await changing(table) { rows async throws(RowsError) in
            var columns = columns
            if columns.properties.isEmpty {
                guard let row = try await rows.find(id) else { throw .noRow }
                columns = Self.anyColumn(of: row)
            }
            return try await rows.update(id, set: columns)
        }
    }

    /// Deletes a row as another device would.
    func delete(_ table: String, _ id: String) async throws(RowsError) -> Record {
        try await changing(table) { rows async throws(RowsError) in try await rows.delete(id) }
    }

    private func changing(
        _ table: String, _ body: (TableRows) async throws(RowsError) -> Record
    ) async throws(RowsError) -> Record {
        let result: Result<Record, RowsError> = await gate.pass {
            let tables = stage.withLock { $0.served.tables }
            return await living {
                do throws(RowsError) {
                    return .success(try await body(try tables[table]))
                } catch {
                    return .failure(error)
                }
            }
        }
        return try result.get()
    }

    private static func anyColumn(of row: Record) -> Record {
        let system = Set(SystemColumn.allCases.map { $0.rawValue.lowercased() })
        guard let column = row.properties.first(where: { !system.contains($0.name.lowercased()) }) else {
            return Record()
        }
        return Record([column])
    }

    private func living<Result: Sendable>(_ body: () async -> Result) async -> Result {
        await RandomID.$source.withValue(RandomID.Source { [bits] in bits.next() }) {
            await RateLimit.$clock.withValue(RateLimit.Clock { [clock] in clock.continuous() }) { await body() }
        }
    }

    // MARK: Resets

    /// Returns to the initial rows, or starts over in another way. Requests in progress finish first; those that a
    /// fault delays are dropped.
    /// - Parameter other: how to start; nil for how the world was created.
    func reset(_ other: Beginning?) async throws(TableError) {
        let beginning = other ?? beginning
        let state = try await factory.beginning(at: beginning.clock)
        try await alone { () async throws(TableError) in
            try await replaceStage(from: state, isSeeded: beginning.seed != nil, push: PushRegistry())
            Self.begin(clock, bits, beginning)
            faults.removeAll()
            record.removeAll()
        }
    }

    /// Changes the world while no request is in progress.
    private func alone<Result: Sendable>(
        _ body: () async throws(TableError) -> Result
    ) async throws(TableError) -> Result {
        try await gate.alone { () async throws(TableError) in
            if isEnded.load(ordering: .acquiring) { throw .unavailable(detail: "the world has ended") }
            return try await body()
        }
    }

    /// Saves the world's rows, users, receipts, registrations and clock.
    /// - Returns: false if there are too many snapshots already.
    func save(_ name: String) async throws(TableError) -> Bool {
        try await alone { () async throws(TableError) in
            guard snapshots.withLock({ $0[ExactText(name)] != nil || $0.count < Self.maximumSnapshots }) else {
                return false
            }
            let before = stage.withLock { $0 }
            let (saved, open) = try await factory.databases.save(before.open, factory.watch, clock: clock.now)
            if let open {
                let served = factory.serve(
                    open, clock: clock, isSeeded: before.served.isSeeded, push: before.served.push)
                stage.withLock { $0 = Stage(open: open, served: served) }
                await before.served.webhooks.close()
            }
            let moment = TestClock()
            moment.follow(clock)
            let snapshot = Snapshot(
                state: try saved.get(), push: PushRegistry(copyOf: before.served.push), clock: moment)
            let old = snapshots.withLock { $0.updateValue(snapshot, forKey: ExactText(name)) }
            if let old { await factory.databases.discard(old.state) }
            return true
        }
    }

    /// Returns to a snapshot.
    /// - Returns: false if there is no snapshot of that name.
    func restore(_ name: String) async throws(TableError) -> Bool {
        try await alone { () async throws(TableError) in
            guard let snapshot = snapshots.withLock({ $0[ExactText(name)] }) else { return false }
            let isSeeded = stage.withLock { $0.served.isSeeded }
            try await replaceStage(from: snapshot.state, isSeeded: isSeeded, push: snapshot.push)
            clock.follow(snapshot.clock)
            return true
        }
    }

    /// Returns the state of a snapshot, for another world to start with; nil if there is no snapshot of that name.
    func state(of name: String) -> WorldDatabases.State? {
        snapshots.withLock { $0[ExactText(name)]?.state }
    }

    /// The names of the snapshots.
    var snapshotNames: [String] { snapshots.withLock { $0.keys.sorted().map(\.text) } }

    /// Deletes a snapshot.
    /// - Returns: false if there is no snapshot of that name.
    func forget(_ name: String) async -> Bool {
        guard let snapshot = snapshots.withLock({ $0.removeValue(forKey: ExactText(name)) }) else { return false }
        await factory.databases.discard(snapshot.state)
        return true
    }

    private func replaceStage(
        from state: WorldDatabases.State, isSeeded: Bool, push: PushRegistry
    ) async throws(TableError) {
        let next = try await factory.stage(
            from: state, clock: clock, isSeeded: isSeeded, push: PushRegistry(copyOf: push))
        let before = stage.withLock { stage in
            defer { stage = next }
            return stage
        }
        eras.add(1, ordering: .releasing)
        await factory.end(before)
    }

    /// Ends the world and deletes everything in it, once no request is in progress.
    func end() async {
        await gate.alone {
            isEnded.store(true, ordering: .releasing)
            await factory.end(stage.withLock { $0 })
            let kept = snapshots.withLock { snapshots in
                defer { snapshots = [:] }
                return snapshots.values.map(\.state)
            }
            for state in kept { await factory.databases.discard(state) }
        }
    }
}
