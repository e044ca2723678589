import TableSQL
public import Tables

extension SQLiteTableStore: NumberedStore {
    /// Moves them in one transaction.
    public func moveNumbersOn(by lead: NumberGap) async throws(TableError) -> [String] {
        try await writer.write { session throws(TableError) in
            // What was got out of a damaged file may lack it.
            try session.connection.run("INSERT OR IGNORE INTO zumod_counters (name, value) VALUES ('version', 0)")
            return try session.withNumbers { () throws(TableError) in
                try session.connection.moveNumbersOn(by: lead, now: session.now)
            }
        }
    }
}
