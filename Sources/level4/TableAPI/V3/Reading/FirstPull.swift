import HTTPModel
import OData
import Scalars
import TableOperations
import Tables

/// The first pull of Microsoft's Datasync libraries (v3-38).
///
/// It asks for no tombstones, and the next one only for what is stamped later than everything it has. A row that is
/// deleted unnoticed between two pages would stay with the client for ever, once the pull gets to a later stamp than
/// the tombstone's. So its links ask for the tombstones made since it began, which the libraries know how to handle;
/// older ones would only cost time.
struct FirstPull {
    /// The newest stamp of the table before the first page was read.
    let start: Instant

    /// - Parameter newest: nil if the table was empty: any tombstones it has later were made since, including those of
    ///   rows that arrive between this look and the first page.
    init(newest: Instant?) {
        start = newest ?? Instant(milliseconds: 0)
    }

    /// - Returns: nil if the request isn't one, or the table can have no tombstones.
    static func begin(
        _ options: QueryOptions, _ request: TableRequest, in admitted: AdmittedTable<Reading>
    ) async throws(RequestError) -> FirstPull? {
        guard request.table.rules.softDelete, DatasyncLink.Shape(of: request) != .query,
            !request.includesDeleted, options.wantsCount, options.top == nil, options.skip == 0,
            options.skipToken == nil, options.order.count == 1, let term = options.order.first, !term.isDescending,
            term.expression.isStamp
        else { return nil }
        var query = TableQuery(limit: 1)
        query.order = [OrderTerm(term.expression, isDescending: true)]
        query.includeDeleted = true
        query.asker = request.asker
        query.select = [SelectedName(SystemColumn.updatedAt.rawValue, at: 0)]
        guard case .result(let page) = try await request.list(query, in: admitted, into: DatasyncRow()) else {
            // The rows are what the script makes of them, and the list is answered by it too.
            return nil
        }
        return FirstPull(newest: page.rows.updatedAt)
    }

    /// The query members with which the pull continues.
    func members(of request: TableRequest) -> [QueryMember] {
        let later = "deleted eq false or updatedAt gt cast(\(start.wireText),Edm.DateTimeOffset)"
        var filter = later
        var members: [QueryMember] = []
        for member in request.target.query {
            switch member.name.lowercased() {
            case "$filter", "filter": filter = "(\(member.value)) and (\(later))"
            case "__includedeleted": continue
            default: members.append(member)
            }
        }
        return [QueryMember(name: "$filter", value: filter)] + members
            + [QueryMember(name: "__includedeleted", value: "true")]
    }
}
