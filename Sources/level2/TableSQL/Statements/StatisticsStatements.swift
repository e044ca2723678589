public import Tables

/// Statements about tables as a whole.
public enum StatisticsStatements {
    /// Returns the greatest stamp of a table's rows, or null, by the index for pulls.
    public static func lastChange(of table: Table, dialect: any SQLDialect) -> SQLText {
        SQLText("SELECT max(\"updatedAt\") FROM \(table.name)", dialect)
    }
}
