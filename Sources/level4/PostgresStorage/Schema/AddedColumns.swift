import TableSQL
import Tables

/// The statements that add columns, with a column's own name as a comment if the database can't hold it.
enum AddedColumns {
    static func statements(_ columns: [Column], to table: Identifier) -> [SQLText] {
        guard !columns.isEmpty else { return [] }
        return [AddColumnsStatement(columns, to: table, dialect: PostgresDialect()).sql]
            + columns.flatMap { comment(on: $0, of: table) }
    }

    static func comment(on column: Column, of table: Identifier) -> [SQLText] {
        let (relation, name) = (PostgresName.physical(table.text), PostgresName.physical(column.name.text))
        guard name != column.name.text else { return [] }
        // Names have only letters, digits and underscores.
        let text = "COMMENT ON COLUMN \"\(relation)\".\"\(name)\" IS '\(column.name.text)'"
        return [SQLText(text)]
    }
}
