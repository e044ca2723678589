import Synchronization
import Tables

/// The tables as of the last look at the database.
final class PostgresTableCatalog: Sendable {
    private struct State {
        var epoch: Int64
        var tables: [Identifier: Table]
        /// The relation of each table, including its number of columns; tables without one don't exist in the database.
        var relations: [Identifier: Int64] = [:]
        /// A number derived from all relations.
        var signature: Int64 = 0
        /// How often a writer has published tables.
        var publications = 0
        /// Tables that other definitions no longer serve, although a write may be in progress.
        var retired: [Identifier: Table] = [:]
        var limits: ClientLimits
    }

    private let state: Mutex<State>

    /// - Parameter tables: the tables to answer with until the database was read.
    init(_ tables: [Table], limits: ClientLimits = .none) {
        let named = Dictionary(tables.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
        state = Mutex(State(epoch: 0, tables: named, limits: limits))
    }

    /// What clients may add to the tables.
    var limits: ClientLimits {
        get { state.withLock { $0.limits } }
        set { state.withLock { $0.limits = newValue } }
    }

    func table(named name: Identifier) -> Table? {
        state.withLock { $0.tables[name] }
    }

    /// Returns a table that is served, or was under other definitions.
    func known(_ name: Identifier) -> Table? {
        state.withLock { $0.tables[name] ?? $0.retired[name] }
    }

    /// Remembers all tables for writes in progress, as other definitions are about to take some out of service.
    func rememberAll() {
        state.withLock { state in state.retired.merge(state.tables) { _, new in new } }
    }

    func all() -> [Table] {
        state.withLock { Array($0.tables.values) }.sorted { $0.name.text.lowercased() < $1.name.text.lowercased() }
    }

    /// The number of the schema that the tables are from.
    var epoch: Int64 {
        state.withLock { $0.epoch }
    }

    /// Whether the tables may differ from those with a signature.
    func mayDiffer(from signature: Int64) -> Bool {
        state.withLock { state in
            // A restored system column doesn't change this number.
            state.signature != signature || state.relations.keys.contains { state.tables[$0]?.isAway == true }
        }
    }

    /// Returns the current state of a table, with the mark of its schema; the given one if it is unknown.
    func current(_ table: Table) -> (table: Table, mark: SchemaFingerprint) {
        state.withLock { state in
            let mark = SchemaFingerprint(epoch: state.epoch, relation: state.relations[table.name])
            return (state.tables[table.name] ?? table, mark)
        }
    }

    /// Returns a table that is served, or was under other definitions, with its relation.
    func knownRelation(_ name: Identifier) -> (table: Table, relation: Int64?)? {
        state.withLock { state in
            (state.tables[name] ?? state.retired[name]).map { ($0, state.relations[name]) }
        }
    }

    /// Replaces tables. The epoch stays, as others may have changed tables too.
    func publish(_ tables: [Identifier: Table]) {
        guard !tables.isEmpty else { return }
        state.withLock { state in
            state.tables.merge(tables) { _, new in new }
            state.publications += 1
        }
    }

    /// A mark to take before the database is read, by which `replace` detects what was published meanwhile.
    var publications: Int {
        state.withLock { $0.publications }
    }

    /// Takes over what was read from the database. A table that hasn't changed stays the same object.
    /// - Parameter publications: the mark from before the read. If a writer has published since, its tables may be
    ///   newer, so nothing is taken over.
    /// - Parameter mayBeOlder: whether to take it over even if a later schema has been taken over meanwhile.
    /// - Returns: whether it was taken over.
    func replace(_ found: FoundTables, readAfter publications: Int, mayBeOlder: Bool) -> Bool {
        state.withLock { state in
            guard state.publications == publications, mayBeOlder || found.epoch >= state.epoch else { return false }
            let old = state.tables
            state.relations = found.relations
            state.signature = found.signature
            state.tables = Dictionary(
                found.tables.map { table in
                    guard let known = old[table.name] else { return (table.name, table) }
                    // Its columns are the earlier ones.
                    if table.isAway { return (table.name, known.found(as: nil)) }
                    return (table.name, known.isSame(as: table) ? known : table)
                }, uniquingKeysWith: { $1 })
            state.epoch = found.epoch
            return true
        }
    }
}
