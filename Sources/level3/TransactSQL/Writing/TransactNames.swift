import OData
import Tables

/// The names by which scripts know the columns of tables.
enum TransactNames {
    /// Those that the tables have.
    case plain
    /// Those of the first generation: the server's begin with `__`, and without it they are the table's own, if it has such.
    case services

    /// A column by its name in any case; those of the system also as the first generation called them.
    func field(named name: String, of table: Table) -> Field? {
        if self == .services, let own = OwnColumnName.column(inServices: name), let column = table.column(named: own) {
            return .own(column)
        }
        return table.field(named: name) ?? SystemColumn(formerly: name).map(Field.system)
    }

    /// What a column is called in results that name all of them.
    func name(of field: Field) -> String {
        switch (self, field) {
        case (.plain, _), (_, .system(.id)): field.name
        case (.services, .system(let column)): "__\(column.rawValue)"
        case (.services, .own(let column)): OwnColumnName.nameInServices(of: column.name.text) ?? column.name.text
        }
    }
}
