import HTTPModel
import OData
import Scalars
import TableOperations
import Tables

/// The first pull of Microsoft's Datasync libraries (v3-38).
///
/// It doesn't ask for tombstones, and the next pull asks only for rows with later stamps than the client has. A row
/// that is deleted between two pages would stay with the client forever once the pull reaches a stamp later than the
/// tombstone's. So its links ask for the tombstones made since the pull began, which the libraries can handle; older
/// ones would only cost time.
struct FirstPull {
    /// The newest stamp of the table before the first page was read.
    let start: Instant

    /// - Parameter newest: nil if the table was empty. All later tombstones then count, including those of rows
    ///   inserted between this look and the first page.
    init(newest: Instant?) {
        start = newest ?? Instant(milliseconds: 0)
    }

    /// - Returns: nil if the request isn't one, or the table can't have tombstones.
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
            // A script determines the rows and answers the list itself.
            return nil
        }
        return FirstPull(newest: page.rows.updatedAt)
    }

    /// Returns the query members with which the pull continues.
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
