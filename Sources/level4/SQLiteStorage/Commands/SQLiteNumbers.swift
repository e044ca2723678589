import TableSQL
public import Tables

extension SQLiteTableStore: NumberedStore {
    /// Moves the numbers on in one transaction.
    public func moveNumbersOn(by lead: NumberGap) async throws(TableError) -> [String] {
        try await writer.write { session throws(TableError) in
            // The row may be missing in data recovered from a damaged file.
            try session.connection.run("INSERT OR IGNORE INTO zumod_counters (name, value) VALUES ('version', 0)")
            return try session.withNumbers { () throws(TableError) in
                try session.connection.moveNumbersOn(by: lead, now: session.now)
            }
        }
    }
}
