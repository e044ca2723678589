import OData
import Tables

/// The names by which scripts know the columns of tables.
enum TransactNames {
    /// Those that the tables have.
    case plain
    /// Those of the first generation: the server's begin with `__`, and the plain ones are the table's own.
    case services

    /// A column by its name in any case; those of the system also as the first generation called them.
    func field(named name: String, of table: Table) -> Field? {
        // Never the server's: a client's first write of such a column would change what the statement means.
        if self == .services, let own = OwnColumnName.column(inServices: name) {
            return table.column(named: own).map(Field.own)
        }
        return table.field(named: name) ?? SystemColumn(formerly: name).map(Field.system)
    }

    /// What to say of a column that a table doesn't have, as the end of a sentence.
    func hint(for name: String) -> String? {
        guard self == .services, OwnColumnName.column(inServices: name) != nil, let column = SystemColumn(named: name)
        else { return nil }
        return "the server's is `\(column.nameInServices)`"
    }

    /// What a column is called in results that name all of them.
    func name(of field: Field) -> String {
        self == .services ? field.nameInServices : field.name
    }
}
