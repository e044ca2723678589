import TableSQL
import Tables

/// The statements that add columns, with their own names as comments where the database can't hold them.
enum AddedColumns {
    static func statements(_ columns: [Column], to table: Identifier) -> [SQLText] {
        guard !columns.isEmpty else { return [] }
        return [AddColumnsStatement(columns, to: table, dialect: PostgresDialect()).sql]
            + columns.flatMap { comment(on: $0, of: table) }
    }

    static func comment(on column: Column, of table: Identifier) -> [SQLText] {
        let (relation, name) = (PostgresName.physical(table.text), PostgresName.physical(column.name.text))
        guard name != column.name.text else { return [] }
        // A name holds letters, digits and underscores only.
        let text = "COMMENT ON COLUMN \"\(relation)\".\"\(name)\" IS '\(column.name.text)'"
        return [SQLText(text)]
    }
}
