public import Scalars
import TableSQL
public import Tables

extension PostgresTableStore: StampStore {
    /// Reads what all servers of the database have given.
    public func lastStamps() async throws(TableError) -> [Identifier: Instant] {
        try watch.check()
        let served = Set(catalog.all().map(\.name))
        return try await quickPool.run { connection throws(PostgresFailure) in try connection.lastStamps(of: served) }
    }
}
