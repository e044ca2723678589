import OData
public import Tables

extension OperationError {
    /// Whether a query names a column that the table lacks, and may get by its next insert: until then no row has it, so
    /// that there are none to answer.
    public func isAboutColumnToBe(in table: Table) -> Bool {
        guard table.rules.dynamicSchema, case .table(.query(let fault)) = self, case .unknownColumn = fault.reason
        else {
            return false
        }
        return true
    }
}
