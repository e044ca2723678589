import OData
import Scalars
import Synchronization
import Tables

/// The store's contract over a dictionary: what the databases are compared with. Slow on purpose, plain on purpose.
final class ReferenceStore: TableStore {
    struct State {
        var tables: [Identifier: ReferenceTable] = [:]
        var lastVersion: Int64 = 0
    }

    let state = Mutex(State())
    let clock: @Sendable () -> Instant

    /// Makes a store with empty tables.
    init(_ definitions: [TableDefinition], clock: @escaping @Sendable () -> Instant) {
        self.clock = clock
        state.withLock { state in
            for definition in definitions { state.tables[definition.name] = ReferenceTable(definition) }
        }
    }

    func table(named name: Identifier) -> Table? {
        state.withLock { $0.tables[name]?.table }
    }

    /// The ids of a table's rows, tombstones too.
    func ids(in name: Identifier) -> [RowID] {
        state.withLock { $0.tables[name]?.ids ?? [] }
    }

    func tables() -> [Table] {
        state.withLock { state in
            state.tables.values.map(\.table).sorted { $0.name.text.lowercased() < $1.name.text.lowercased() }
        }
    }

    func createTable(_ definition: TableDefinition) async throws(TableError) -> Table {
        for prefix in ["zumod_", "sqlite_"] where definition.name.text.lowercased().hasPrefix(prefix) {
            throw .definition("the table name \(definition.name) is reserved")
        }
        return try state.withLock { state throws(TableError) in
            if let stored = state.tables[definition.name] { return stored.table }
            guard state.tables.values.count(where: \.isClients) < ReferenceTable.limits.tables else {
                throw .tooManyClientTables(limit: ReferenceTable.limits.tables)
            }
            let stored = ReferenceTable(definition, isClients: true)
            state.tables[definition.name] = stored
            return stored.table
        }
    }

    func continuationKey() async throws(TableError) -> [UInt8] {
        [UInt8](repeating: 1, count: 32)
    }

    func ping() async throws(TableError) {}

    func find<Row: RowVisitor>(
        _ id: RowID, in table: Table, select: [SelectedName]?, includeDeleted: Bool, scope: RowScope?, into row: Row
    ) async throws(TableError) -> Row? {
        let fields = try Self.fields(select, of: table)
        guard let found = state.withLock({ $0.tables[table.name]?.row(id, in: scope) }) else { return nil }
        guard includeDeleted || !found.isDeleted else { return nil }
        return Self.visited(found, fields, row)
    }

    /// The columns that a selection names.
    static func fields(_ names: [SelectedName]?, of table: Table) throws(TableError) -> [Field] {
        do throws(QueryError) {
            return try names.map { names throws(QueryError) in try table.fields(for: names) } ?? table.fields
        } catch {
            throw .query(error)
        }
    }

    /// A visitor after it has seen one row, or nothing where there is none.
    static func visited<Row: RowVisitor>(_ found: ReferenceRow?, _ fields: [Field], _ row: Row) -> Row {
        guard let found else { return row }
        var row = row
        row.begin(fields)
        found.visit(fields, into: &row)
        return row
    }
}
