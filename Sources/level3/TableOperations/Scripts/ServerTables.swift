public import Access
public import Tables

/// The tables, for a program's own handlers and hooks.
///
/// The access levels that a table requires of clients don't apply here: the code is the server's. Rows that belong to
/// users are still limited to the caller's, unless `asServer` is used.
public struct ServerTables: Sendable {
    private let operations: TableOperations
    private let principal: Principal
    private let request: CurrentRequest?

    /// Creates the tables as seen by a caller.
    /// - Parameter request: what the tables' scripts see of the request being answered; nil if there is none.
    public init(_ operations: TableOperations, by principal: Principal, _ request: CurrentRequest? = nil) {
        self.operations = operations
        self.principal = principal
        self.request = request
    }

    /// The same tables with the rows of all users.
    public var asServer: ServerTables { ServerTables(operations, by: .admin(nil), request) }

    /// The same tables, bypassing scripts and hooks.
    package var withoutHooks: ServerTables { ServerTables(operations.withoutHooks, by: principal) }

    /// The names of all tables.
    package var names: [String] { operations.tables().map(\.name.text) }

    /// Returns a table by its name in any case.
    public subscript(_ name: String) -> TableRows {
        get throws(RowsError) {
            guard let table = operations.table(named: name) else {
                throw .noTable(name)
            }
            return TableRows(table, operations, by: principal, request)
        }
    }
}

/// Why a call to a table's rows failed.
public enum RowsError: Error, Sendable, Equatable {
    case noTable(String)
    /// There is no such row, or the caller may not see it.
    case noRow
    /// The row has another version than the required one, or an insert's id is taken; with the current row, or nil if
    /// the caller may not see it.
    case conflict(Record?)
    /// A new row can't have this id.
    case invalidID(RowID.Fault)
    /// The given row or condition doesn't fit the table, a hook refused it, or the store failed.
    case operation(OperationError)
}
