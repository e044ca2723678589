public import Tables

/// What is asked of tables as a whole.
public enum StatisticsStatements {
    /// Answers the greatest stamp of a table's rows, or null; found by the index that pulls read by.
    public static func lastChange(of table: Table, dialect: any SQLDialect) -> SQLText {
        SQLText("SELECT max(\"updatedAt\") FROM \(table.name)", dialect)
    }
}
