public import Access
public import Tables

/// The tables as a program's own handlers and hooks use them.
///
/// The levels that a table asks of clients don't count here: the code is the server's. Rows that belong to users do:
/// they are those of the caller, unless `asServer` is asked for.
public struct ServerTables: Sendable {
    private let operations: TableOperations
    private let principal: Principal
    private let request: CurrentRequest?

    /// Makes the tables of a caller.
    /// - Parameter request: what the tables' scripts see of the request that is being answered; nil where there is none.
    public init(_ operations: TableOperations, by principal: Principal, _ request: CurrentRequest? = nil) {
        self.operations = operations
        self.principal = principal
        self.request = request
    }

    /// The same tables with the rows of all users.
    public var asServer: ServerTables { ServerTables(operations, by: .admin(nil), request) }

    /// The same tables, past scripts and hooks.
    package var withoutHooks: ServerTables { ServerTables(operations.withoutHooks, by: principal) }

    /// The names of all tables.
    package var names: [String] { operations.tables().map(\.name.text) }

    /// A table by its name in any case.
    public subscript(_ name: String) -> TableRows {
        get throws(RowsError) {
            guard let table = operations.table(named: name) else {
                throw .noTable(name)
            }
            return TableRows(table, operations, by: principal, request)
        }
    }
}

/// Why a call to a table's rows came to nothing.
public enum RowsError: Error, Sendable, Equatable {
    case noTable(String)
    /// There is no such row, or the caller may not see it.
    case noRow
    /// The row has another version than the one that was demanded, or an insert's id is taken; the row as it stands,
    /// nil where the caller may not see it.
    case conflict(Record?)
    /// A new row can't have this id.
    case invalidID(RowID.Fault)
    /// What was given can't be a row or a condition of the table, a hook refused it, or the store failed.
    case operation(OperationError)
}
