import Synchronization
import Tables

/// The tables as of the last commit.
final class SQLiteTableCatalog: Sendable {
    private struct State {
        var tables: [Identifier: Table]
        /// Tables that are no longer served, although a write may be in progress.
        var retired: Set<Identifier> = []
        var limits: ClientLimits
        /// The schema number of the database that the tables are from; nil if it isn't known.
        var schemaVersion: Int64?
    }

    private let state: Mutex<State>
    /// The number of commits.
    let commits = CommitCount()

    init(_ tables: [Identifier: Table], limits: ClientLimits = .none) {
        state = Mutex(State(tables: tables, limits: limits))
    }

    /// What clients may add to the tables.
    var limits: ClientLimits {
        get { state.withLock { $0.limits } }
        set { state.withLock { $0.limits = newValue } }
    }

    /// Returns a served table.
    func table(named name: Identifier) -> Table? {
        state.withLock { $0.retired.contains(name) ? nil : $0.tables[name] }
    }

    /// Returns a table that is or was served.
    func known(_ name: Identifier) -> Table? {
        state.withLock { $0.tables[name] }
    }

    /// Whether a table is current in the schema with a number.
    func has(_ table: Table, in schemaVersion: Int64) -> Bool {
        state.withLock { $0.schemaVersion == schemaVersion && $0.tables[table.name] === table }
    }

    /// Whether the tables are from the schema with a number.
    func isOf(_ schemaVersion: Int64) -> Bool {
        state.withLock { $0.schemaVersion == schemaVersion }
    }

    /// Returns all served tables, by name.
    func all() -> [Table] {
        let served = state.withLock { state in state.tables.values.filter { !state.retired.contains($0.name) } }
        return served.sorted { $0.name.text.lowercased() < $1.name.text.lowercased() }
    }

    /// Publishes a commit's tables, which replace those of the same names.
    /// - Parameters:
    ///   - serving: the names of all tables served from now on; nil to serve these in addition to the others.
    ///   - schemaVersion: the schema number that all tables are now from; nil if it isn't known.
    func publish(
        _ changed: [Identifier: Table], serving: Set<Identifier>? = nil, schemaVersion: Int64? = nil
    ) {
        commits.increment()
        guard !changed.isEmpty || serving != nil || schemaVersion != nil else { return }
        state.withLock { state in
            if let schemaVersion { state.schemaVersion = schemaVersion }
            state.tables.merge(changed) { _, new in new }
            if let serving {
                state.retired = Set(state.tables.keys).subtracting(serving)
            } else if !state.retired.isEmpty {
                state.retired.subtract(changed.keys.filter { changed[$0]?.isClients == true })
            }
        }
    }
}
