import ByteText
import TableSQL
import Tables

extension SQLiteConnection {
    /// The columns of a table with their declared types; none where no such table was made.
    ///
    /// By the statement PRAGMA, not the function `pragma_table_info`, whose name a table may have. SQLite takes the names of
    /// some functions, such as `json_each`, for tables with columns: those are not in its schema.
    func columns(of table: String) throws(TableError) -> [(name: String, type: String)] {
        guard try hasTable(table, of: ["table"]) else { return [] }
        return try rows(PragmaStatement.columns(of: table)).map { ($0.words(1), $0.words(2)) }
    }

    /// The names of a table's indexes, in order.
    func indexNames(of table: Identifier) throws(TableError) -> [String] {
        try rows(PragmaStatement.indexes(of: table.text)).map { $0.words(1) }.sorted()
    }

    /// Whether a table was made under a name, in any case.
    /// - Parameter kinds: what counts as one.
    func hasTable(_ name: String, of kinds: [String] = ["table", "view"]) throws(TableError) -> Bool {
        try rows("SELECT type FROM sqlite_master WHERE name = ?1 COLLATE NOCASE", [.text(name)])
            .contains { kinds.contains(where: $0.words(0).isExactly) }
    }
}
