import Synchronization
import Tables

/// The tables as the last commit left them.
final class TableCatalog: Sendable {
    private struct State {
        var tables: [Identifier: Table]
        /// Those that are served no more, though a write may be under way.
        var retired: Set<Identifier> = []
        var limits: ClientLimits
        /// The number of the database's schema that the tables are from; nil where that isn't known.
        var schemaVersion: Int64?
    }

    private let state: Mutex<State>
    /// How many commits there were.
    let commits = CommitCount()

    init(_ tables: [Identifier: Table], limits: ClientLimits = .none) {
        state = Mutex(State(tables: tables, limits: limits))
    }

    /// What clients may add to the tables.
    var limits: ClientLimits {
        get { state.withLock { $0.limits } }
        set { state.withLock { $0.limits = newValue } }
    }

    /// A table that is served.
    func table(named name: Identifier) -> Table? {
        state.withLock { $0.retired.contains(name) ? nil : $0.tables[name] }
    }

    /// A table that is served, or was.
    func known(_ name: Identifier) -> Table? {
        state.withLock { $0.tables[name] }
    }

    /// Whether a table is the one that the schema of a number has.
    func has(_ table: Table, in schemaVersion: Int64) -> Bool {
        state.withLock { $0.schemaVersion == schemaVersion && $0.tables[table.name] === table }
    }

    /// Whether the tables are those of a schema's number.
    func isOf(_ schemaVersion: Int64) -> Bool {
        state.withLock { $0.schemaVersion == schemaVersion }
    }

    /// All that are served, by name.
    func all() -> [Table] {
        let served = state.withLock { state in state.tables.values.filter { !state.retired.contains($0.name) } }
        return served.sorted { $0.name.text.lowercased() < $1.name.text.lowercased() }
    }

    /// Takes note of a commit, and puts tables in the place of those of the same names.
    /// - Parameters:
    ///   - serving: the only ones that are served from now on; nil for these beside the others.
    ///   - schemaVersion: the number of the schema that all tables are from by now; nil where that isn't known.
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
