import OData
public import Tables

/// Why an operation on rows failed. Conflicts and missing rows are outcomes, not errors.
public enum OperationError: Error, Sendable, Equatable {
    case table(TableError)
    /// A required column has no value; the message is the operator's, for the client.
    case required(message: String)
    /// A hook refused the write.
    case refused(Refusal)
    /// A hook or a script failed. The detail is for the log, never for a client.
    case hook(detail: String)
    /// The scripts around the operation can't be run at the moment. The detail is for the log, never for a client.
    case scripts(detail: String)
}

extension OperationError {
    /// Whether a query names a column that the table lacks but may gain with its next insert. No row has it yet, so the
    /// query matches none.
    public func isAboutColumnToBe(in table: Table) -> Bool {
        guard case .table(.query(let fault)) = self, case .unknownColumn = fault.reason else { return false }
        return table.rules.dynamicSchema
    }
}
