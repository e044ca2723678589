import Scalars
public import Tables

/// The part of a `TableStore` for queries that are too long for a link, by SQL statements.
extension SQLExecutor where Self: TableStore {
    /// Writes the query in one transaction, unless it is already stored for long enough. If several servers store some
    /// at the same time, the limits may be exceeded by those.
    public func keep(_ query: StoredQuery) async throws(TableError) -> Bool {
        let (reference, asker) = (Value.text(query.reference), Value.text(query.asker))
        let kept = try await rows(
            of: """
                SELECT 1 FROM zumod_queries \
                WHERE reference = \(reference) AND ends_at >= \(.integer(query.renewal.milliseconds))
                """)
        if !kept.isEmpty { return true }
        return try await isDone(
            "DELETE FROM zumod_queries WHERE ends_at < \(.integer(query.now.milliseconds))",
            """
            INSERT INTO zumod_queries (reference, asker, bytes, ends_at, query) SELECT \(reference), \(asker), \
            \(.integer(query.bytes)), \(.integer(query.end.milliseconds)), \(.text(query.text)) \
            WHERE EXISTS (SELECT 1 FROM zumod_queries WHERE reference = \(reference)) \
            OR (SELECT coalesce(sum(bytes), 0) FROM zumod_queries WHERE asker = \(asker)) \
            <= \(.integer(StoredQuery.askerBytes - query.bytes)) \
            AND (SELECT coalesce(sum(bytes), 0) FROM zumod_queries) <= \(.integer(StoredQuery.allBytes - query.bytes)) \
            ON CONFLICT (reference) DO UPDATE SET ends_at = excluded.ends_at RETURNING ends_at
            """)
    }

    /// Reads a row by its key.
    public func keptQuery(_ reference: String) async throws(TableError) -> String? {
        try await rows(of: "SELECT query FROM zumod_queries WHERE reference = \(.text(reference))").first?.text(0)
    }
}
