import OData
import Synchronization
import Tables

/// The store's contract over dictionaries, slow on purpose and plain on purpose: what every store has to be at least,
/// and what the databases are compared with.
///
/// It reads and writes. What may be written, how a write is refused, what a repeat is answered and what a table needs
/// it asks `Tables`, as the databases do; what a condition means it asks the reference evaluator, as none of them does.
final class ReferenceStore: TableStore {
    private let state = Mutex(ReferenceState())
    let clock: Clock

    /// Makes a store with tables that have their seed rows.
    init(_ definitions: [TableDefinition], clock: @escaping Clock) throws(TableError) {
        self.clock = clock
        for definition in definitions {
            _ = try alone { state throws(TableError) in try state.make(definition, for: .configuration, now: clock()) }
        }
    }

    /// Has every later call fail.
    func close() { state.withLock { $0.isClosed = true } }

    func ping() async throws(TableError) { try alone { _ in } }
    func continuationKey() async throws(TableError) -> [UInt8] { [UInt8](repeating: 1, count: 32) }
    func table(named name: Identifier) -> Table? { state.withLock { $0.tables[name]?.table } }

    func tables() -> [Table] {
        let tables = state.withLock { $0.tables.values.map(\.table) }
        return tables.sorted { $0.name.text.lowercased() < $1.name.text.lowercased() }
    }

    func createTable(_ definition: TableDefinition) async throws(TableError) -> Table {
        try alone { state throws(TableError) in
            if let stored = state.tables[definition.name] { return stored.table }
            return try state.make(definition, for: .client, now: clock())
        }
    }

    func find<Row: RowVisitor>(
        _ id: RowID, in table: Table, select: [SelectedName]?, includeDeleted: Bool, scope: RowScope?, into row: Row
    ) async throws(TableError) -> Row? {
        try access(table) { _, stored throws(TableError) in
            let (fields, scope) = (try stored.fields(select), try ReferenceScope(scope, of: stored.table))
            let found = stored.rows[id].flatMap { scope.holds($0) && (includeDeleted || !$0.isDeleted) ? $0 : nil }
            return found?.shown(fields, to: row)
        }
    }

    /// Does something to everything, while nobody else does anything.
    func alone<Answer: Sendable>(
        _ body: (inout ReferenceState) throws(TableError) -> Answer
    ) throws(TableError) -> Answer {
        try state.withLock { state throws(TableError) in
            if state.isClosed { throw .closed }
            return try body(&state)
        }
    }

    /// Does something to a table, or nothing where it fails.
    func access<Answer: Sendable>(
        _ table: Table, _ body: (inout ReferenceState, inout ReferenceTable) throws(TableError) -> Answer
    ) throws(TableError) -> Answer {
        try alone { state throws(TableError) in
            guard var stored = state.tables[table.name] else { throw .failed(detail: "no table \(table.name)") }
            let answer = try body(&state, &stored)
            state.tables[table.name] = stored
            return answer
        }
    }
}
