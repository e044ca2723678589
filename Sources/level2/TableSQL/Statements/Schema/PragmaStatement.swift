/// What SQLite says about a table. A pragma takes no bindings, so the name is part of the text.
public enum PragmaStatement {
    /// The columns of a table: number, name, declared type.
    public static func columns(of table: String) -> String { text("table_info", of: table) }

    /// The indexes of a table: number, name.
    public static func indexes(of table: String) -> String { text("index_list", of: table) }

    /// The columns of a table, generated ones too: number, name.
    public static func allColumns(of table: String) -> String { text("table_xinfo", of: table) }

    /// The foreign keys of a table: number, place of the pair of columns, other table, own column, other column or
    /// null.
    public static func foreignKeys(of table: String) -> String { text("foreign_key_list", of: table) }

    private static func text(_ pragma: String, of table: String) -> String {
        let pragma = SQLFragment(stringLiteral: pragma)
        return SQLText("PRAGMA main.\(pragma)(\(SQLFragment(named: table)))", SQLiteDialect()).text
    }
}
