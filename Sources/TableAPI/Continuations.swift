import Continuation
import Synchronization
import TableOperations
import Tables

/// The places in lists that links carry, sealed with the database's key, which is asked for once.
final class Continuations: Sendable {
    private let operations: TableOperations
    private let seal = Mutex<CursorSeal?>(nil)

    init(_ operations: TableOperations) {
        self.operations = operations
    }

    /// The text of a place; nil where it is too long for a link.
    func text(
        of place: PageCursor, count: Int64?, in query: TableQuery, of table: Table
    ) async throws(TableError) -> String? {
        try await currentSeal().text(of: place, count: count, in: query, of: table.name)
    }

    /// The place that a text stands for; nil where this database's servers did not make it for this query.
    func place(from text: String, in query: TableQuery, of table: Table) async throws(TableError) -> SealedPlace? {
        try await currentSeal().place(from: text, in: query, of: table.name)
    }

    private func currentSeal() async throws(TableError) -> CursorSeal {
        if let known = seal.withLock({ $0 }) { return known }
        let made = CursorSeal(key: try await operations.continuationKey())
        seal.withLock { $0 = made }
        return made
    }
}
