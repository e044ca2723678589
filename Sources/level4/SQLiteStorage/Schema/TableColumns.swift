import ByteText
import TableSQL
import Tables

extension SQLiteConnection {
    /// Returns the columns of a table with their declared types; empty if no such table was created.
    ///
    /// Uses the pragma as a statement, not the function `pragma_table_info`, whose name a table may have. SQLite also
    /// reports columns for some functions, such as `json_each`: those are not in its schema.
    func columns(of table: String) throws(TableError) -> [(name: String, type: String)] {
        guard try hasTable(table, of: ["table"]) else { return [] }
        return try rows(of: "PRAGMA main.table_info(\(SQLFragment(named: table)))").map { ($0.words(1), $0.words(2)) }
    }

    /// Returns the names of a table's indexes, sorted.
    func indexNames(of table: Identifier) throws(TableError) -> [String] {
        try rows(of: "PRAGMA main.index_list(\(table))").map { $0.words(1) }.sorted()
    }

    /// Whether there is a table of a name, in any case.
    /// - Parameter kinds: the kinds of objects that count.
    func hasTable(_ name: String, of kinds: [String] = ["table", "view"]) throws(TableError) -> Bool {
        try rows("SELECT type FROM sqlite_master WHERE name = ?1 COLLATE NOCASE", [.text(name)])
            .contains { kinds.contains(where: $0.words(0).isExactly) }
    }
}
