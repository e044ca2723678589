public import Scalars
import TableSQL
public import Tables

extension SQLiteTableStore: StampStore {
    /// Reads on the caller's own thread: there is one short row for each table.
    public func lastStamps() async throws(TableError) -> [Identifier: Instant] {
        let served = Set(catalog.all().map(\.name))
        return try await read { connection throws(TableError) in try connection.lastStamps(of: served) }
    }
}
