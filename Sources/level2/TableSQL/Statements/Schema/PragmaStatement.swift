/// What SQLite knows about a table. A pragma takes no bindings, so the name is part of the text.
public enum PragmaStatement {
    /// Returns the columns of a table: number, name, declared type.
    public static func columns(of table: String) -> String { text("table_info", of: table) }

    /// Returns the indexes of a table: number, name.
    public static func indexes(of table: String) -> String { text("index_list", of: table) }

    /// Returns the columns of a table, including generated ones: number, name.
    public static func allColumns(of table: String) -> String { text("table_xinfo", of: table) }

    /// Returns the foreign keys of a table: number, index of the pair of columns, other table, own column, other column
    /// or null.
    public static func foreignKeys(of table: String) -> String { text("foreign_key_list", of: table) }

    private static func text(_ pragma: String, of table: String) -> String {
        let pragma = SQLFragment(stringLiteral: pragma)
        return SQLText("PRAGMA main.\(pragma)(\(SQLFragment(named: table)))", SQLiteDialect()).text
    }
}
