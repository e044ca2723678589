import OData
import Scalars
import Tables

extension QueryComparison {
    /// How a query that may make no sense is taken differently; nil where both refuse it for the same reason, or both
    /// take it and answer the same.
    func differenceOfLoose(
        _ query: TableQuery, _ table: Table, _ rows: [ReferenceEvaluator.Row]
    ) async throws -> String? {
        guard let filter = query.filter else { return nil }
        var (expected, found): (QueryError?, QueryError?)
        do throws(QueryError) {
            try evaluator(for: query, table).check(filter: filter)
        } catch {
            expected = error
        }
        do throws(TableError) {
            _ = try await list(query, in: table)
        } catch {
            guard case .query(let fault) = error else { return "$filter=\(filter.wireText): \(error)" }
            found = fault
        }
        guard expected?.reason.kind == found?.reason.kind else {
            return """
                $filter=\(filter.wireText)
                  store: \(found.map { "\($0.reason)" } ?? "taken")
                  expected: \(expected.map { "\($0.reason)" } ?? "taken")
                """
        }
        return expected == nil ? try await difference(query, table, rows) : nil
    }
}

extension QueryError.Reason {
    /// The reason without its sentence.
    fileprivate var kind: String {
        switch self {
        case .unknownColumn(let name): "no column \(name)"
        case .typeClash: "type clash"
        default: "\(self)"
        }
    }
}
