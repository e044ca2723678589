import TableSQL
import Tables

/// The statements that add a column, with its own name as a comment where the database can't hold it.
enum AddedColumn {
    static func statements(_ column: Column, to table: Identifier) -> [SQLText] {
        [AddColumnStatement(column, to: table, dialect: PostgresDialect()).sql] + comment(on: column, of: table)
    }

    static func comment(on column: Column, of table: Identifier) -> [SQLText] {
        let (relation, name) = (PostgresName.physical(table.text), PostgresName.physical(column.name.text))
        guard name != column.name.text else { return [] }
        // A name holds letters, digits and underscores only.
        let text = "COMMENT ON COLUMN \"\(relation)\".\"\(name)\" IS '\(column.name.text)'"
        return [SQLText(text: text, bindings: [])]
    }
}
