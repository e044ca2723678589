import TableSQL
public import Tables

extension SQLiteTableStore: StatisticsStore {
    /// The time limit for all tables together: every page of a table is read.
    private static let sizeLimit = Duration.seconds(1)

    /// Sums up the pages, if SQLite was built with the table that lists them, as Debian's is.
    public func sizes() async throws(TableError) -> [Identifier: Int64] {
        let names = tables().map(\.name)
        let start = ContinuousClock.now
        var sizes: [Identifier: Int64] = [:]
        for name in names {
            let rest = Self.sizeLimit - start.duration(to: .now)
            guard rest > .zero, !Task.isCancelled else { break }
            do throws(TableError) {
                guard let size = try await size(of: name, within: rest) else { break }
                sizes[name] = size
            } catch {
                guard case .timeout = error else { throw error }
            }
        }
        return sizes
    }

    /// - Returns: nil if SQLite can't tell.
    private func size(of name: Identifier, within limit: Duration) async throws(TableError) -> Int64? {
        try await readInPool(limit: limit) { connection throws(TableError) in
            let answer = try connection.rows("SELECT sqlite_compileoption_used('ENABLE_DBSTAT_VTAB')").first
            // A table with that name would hide it.
            guard answer?.boolean(0) == true, try !connection.hasTable("dbstat") else { return nil }
            // Page by page, so that the time limit can apply within a table.
            return try connection.rows(
                """
                SELECT sum(s.pgsize) FROM sqlite_master m CROSS JOIN dbstat s ON s.name = m.name
                WHERE m.tbl_name = ?1 COLLATE NOCASE AND m.rootpage > 0
                """, [.text(name.text)]
            ).first?.integer(0) ?? 0
        }
    }
}
