import Synchronization
import Tables

/// The tables as the last commit left them.
final class TableCatalog: Sendable {
    private struct State {
        var tables: [Identifier: Table]
        /// Those that are served no more, though a write may be under way.
        var retired: Set<Identifier> = []
        var limits: ClientLimits
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

    /// All that are served, by name.
    func all() -> [Table] {
        let served = state.withLock { state in state.tables.values.filter { !state.retired.contains($0.name) } }
        return served.sorted { $0.name.text.lowercased() < $1.name.text.lowercased() }
    }

    /// Takes note of a commit, and puts tables in the place of those of the same names.
    /// - Parameter serving: the only ones that are served from now on; nil for these beside the others.
    func publish(_ changed: [Identifier: Table], serving: Set<Identifier>? = nil) {
        commits.increment()
        guard !changed.isEmpty || serving != nil else { return }
        state.withLock { state in
            state.tables.merge(changed) { _, new in new }
            if let serving {
                state.retired = Set(state.tables.keys).subtracting(serving)
            } else if !state.retired.isEmpty {
                state.retired.subtract(changed.keys.filter { changed[$0]?.isClients == true })
            }
        }
    }
}
