import ContinuationTokens
import HTTPModel
import OData
import TableOperations
import Tables

/// `GET /tables/NAME` in v3: `{"items":…,"count":…,"nextLink":…}`, always all three, null if they don't apply.
/// Conditional fields are ignored.
enum DatasyncList {
    static func answer(
        _ request: TableRequest, in admitted: AdmittedTable<Reading>
    ) async throws(RequestError) -> OperationAnswer<HTTPResponse> {
        let options = try Options.parse(request.target.query, language: .datasync)
        try RowPage.checkTop(options, request)
        var query = query(options, request, in: admitted)
        do throws(RequestError) {
            let firstCount = try await RowPage.goOn(options, &query, request)
            let pull = try await FirstPull.begin(options, request, in: admitted)
            let rows = RowJSON.items(within: request.settings.answers.short)
            switch try await request.list(query, in: admitted, into: rows) {
            case .result(var page):
                try RowPage.checkEnd(of: page, page.rows.end, limit: query.limit, isFollowed: true, request)
                let count = firstCount ?? page.totalCount
                let link = try await link(behind: page, of: query, count: count, pull, options, request)
                return .result(response(&page.rows, count: count, link: link))
            case .script(var answer):
                if let page = answer.page {
                    answer.link = try await link(behind: page, of: query, count: answer.count, pull, options, request)
                }
                return .script(answer)
            }
        } catch {
            guard RowPage.isAboutColumnToBe(error, in: request.table) else { throw error }
            return .result(empty(counted: options.wantsCount))
        }
    }

    /// Returns the answer for a table without rows, including one that doesn't exist yet.
    static func empty(counted: Bool) -> HTTPResponse {
        var rows = RowJSON.items()
        return response(&rows, count: counted ? 0 : nil, link: nil)
    }

    /// Returns the query for a list's first page.
    private static func query(
        _ options: QueryOptions, _ request: TableRequest, in admitted: AdmittedTable<Reading>
    ) -> TableQuery {
        let pageSize = request.table.rules.pageSize
        var query = TableQuery(limit: min(options.top ?? pageSize, pageSize))
        query.filter = options.filter
        query.order = options.order
        query.skip = options.skip
        query.includeDeleted = request.includesDeleted
        query.wantsCount = options.wantsCount
        query.textComparison = .ordinal
        query.nullComparison = .value
        // The same clock that stamps the rows.
        query.present = request.settings.clock()
        query.select = options.select
        query.asker = request.asker
        query.scope = request.operations.lastingScope(of: admitted)
        return query
    }

    /// Returns the link to the next page; nil if no row follows, or if `$top` is used up.
    private static func link(
        behind page: Page<RowJSON>, of query: TableQuery, count: Int64?, _ pull: FirstPull?,
        _ options: QueryOptions, _ request: TableRequest
    ) async throws(RequestError) -> String? {
        guard page.hasMore, options.top.map({ $0 > page.rowCount }) ?? true, page.rowCount > 0 else { return nil }
        var next = query
        var members = request.target.query
        if let pull {
            members = pull.members(of: request)
            next.filter = try Options.parse(members, language: .datasync).filter
            next.includeDeleted = true
        }
        let link = DatasyncLink(
            query: members, skip: RowPage.skip(options, behind: page.rowCount),
            top: options.top.map { $0 - page.rowCount },
            token: try await request.token(behind: page, of: next, count: count))
        return try await link.text(for: request)
    }

    private static func response(_ rows: inout RowJSON, count: Int64?, link: String?) -> HTTPResponse {
        var fields = HTTPFields()
        fields.append("Content-Type", "application/json; charset=utf-8")
        fields.append(contentsOf: RowResponse.unkept)
        var response = HTTPResponse(.ok, fields: fields, body: rows.finishItems(count: count, nextLink: link))
        response.charge = rows.charge
        response.itemCount = rows.rowCount
        return response
    }
}
