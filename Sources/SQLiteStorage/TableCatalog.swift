import Synchronization
import Tables

/// The tables as the last commit left them.
final class TableCatalog: Sendable {
    private let tables: Mutex<[Identifier: Table]>

    /// What clients may add to the tables.
    let limits: ClientLimits

    init(_ tables: [Identifier: Table], limits: ClientLimits = .none) {
        self.limits = limits
        self.tables = Mutex(tables)
    }

    func table(named name: Identifier) -> Table? {
        tables.withLock { $0[name] }
    }

    func all() -> [Table] {
        tables.withLock { Array($0.values) }.sorted { $0.name.text.lowercased() < $1.name.text.lowercased() }
    }

    /// Puts tables in the place of those of the same names.
    func publish(_ changed: [Identifier: Table]) {
        guard !changed.isEmpty else { return }
        tables.withLock { tables in
            tables.merge(changed) { _, new in new }
        }
    }
}
