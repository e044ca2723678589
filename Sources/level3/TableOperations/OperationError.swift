import OData
public import Tables

/// Why an operation on rows failed. Conflicts and missing rows are outcomes, not errors.
public enum OperationError: Error, Sendable, Equatable {
    case table(TableError)
    /// A column that needs a value has none; the message is the operator's, for the client.
    case required(message: String)
    /// A hook refused the write.
    case refused(Refusal)
    /// A hook or a script failed. The detail is for the log, never for a client.
    case hook(detail: String)
}

extension OperationError {
    /// Whether a query names a column that the table lacks, and may get by its next insert: until then no row has it, so
    /// that there are none to answer.
    public func isAboutColumnToBe(in table: Table) -> Bool {
        guard case .table(.query(let fault)) = self, case .unknownColumn = fault.reason else { return false }
        return table.rules.dynamicSchema
    }
}
