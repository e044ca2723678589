public import OData
public import Tables

extension TableOperations {
    /// Returns the most frequent values of a column in the newest rows that the caller may see.
    /// - Parameters:
    ///   - textComparison: how the filter compares text.
    ///   - asker: whose list it is, for the fair queue and the time limit of lists.
    /// - Returns: the values, and whether all matching rows were looked at.
    public func frequentValues(
        of column: String, under filter: Expression? = nil, includingDeleted: Bool = false,
        textComparison: TextComparison = .ignoringCase, asker: String = "", in admitted: AdmittedTable<Reading>
    ) async throws(OperationError) -> (entries: [FrequentValues.Entry], isWhole: Bool) {
        var query = FrequentValues.query(of: column, under: filter, includingDeleted: includingDeleted)
        query.textComparison = textComparison
        query.asker = asker
        switch try await list(query, in: admitted, into: FrequentValues()) {
        case .result(let page): return (page.rows.entries, !page.hasMore)
        case .script(let answer): throw .hook(detail: ThrownError.words(answer))
        }
    }
}
