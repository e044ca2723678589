public import OData

extension Table {
    /// Returns the columns that `$select` names, in its order, each once and in the table's own spelling.
    /// - Throws: `unknownColumn` for a name that the table doesn't have.
    public func fields(for names: [SelectedName]) throws(QueryError) -> [Field] {
        var fields: [Field] = []
        for name in names {
            guard let field = field(named: name.name) else {
                throw QueryError("$select", at: name.offset, .unknownColumn(name.name))
            }
            if !fields.contains(field) { fields.append(field) }
        }
        return fields
    }
}
