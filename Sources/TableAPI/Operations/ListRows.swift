import HTTPModel
import OData
import Tables

/// `GET /tables/NAME`: a page of rows.
enum ListRows {
    static func answer(_ request: TableRequest) async throws(RequestError) -> HTTPResponse {
        let table = request.table
        let options = try Options.parse(request.target.query)
        if let top = options.top, table.rules.maxTop > 0, top > table.rules.maxTop {
            throw .topOverLimit(top, limit: table.rules.maxTop)
        }
        do throws(RequestError) {
            let query = try query(options, request)
            let page = try await request.storing { () async throws(TableError) -> Page<RowJSON> in
                try await request.store.list(query, in: table, into: .list(wrapped: options.wantsCount))
            }
            // With $top the client has said where to stop; without it, the server's own page did (quirks 2 and 3).
            let cutByServer = options.top == nil && page.hasMore
            return response(
                page.rows, count: page.totalCount,
                link: cutByServer ? NextLink.value(of: request, skip: options.skip + page.rowCount) : nil)
        } catch {
            // An app may well ask for a column before its first insert makes it (quirk 7).
            guard case .table(.query(let reason)) = error, case .unknownColumn = reason.reason,
                table.rules.dynamicSchema
            else { throw error }
            return empty(wrapped: options.wantsCount)
        }
    }

    /// The answer of a table without rows, also of one that is yet to be made.
    static func empty(wrapped: Bool) -> HTTPResponse {
        response(.list(wrapped: wrapped), count: wrapped ? 0 : nil, link: nil)
    }

    private static func query(_ options: QueryOptions, _ request: TableRequest) throws(RequestError) -> TableQuery {
        var query = TableQuery(limit: options.top ?? request.table.rules.pageSize)
        query.filter = options.filter
        query.order = options.order
        query.skip = options.skip
        query.includeDeleted = options.includeDeleted
        query.wantsCount = options.wantsCount
        query.textComparison = request.settings.textComparison
        query.select = try Options.selection(options.select, of: request.table)
        return query
    }

    private static func response(_ rows: RowJSON, count: Int64?, link: String?) -> HTTPResponse {
        var fields = HTTPFields()
        fields.append("Content-Type", "application/json; charset=utf-8")
        if let link { fields.append("Link", link) }
        RowResponse.appendCacheFields(to: &fields)
        return HTTPResponse(.ok, fields: fields, body: rows.finishedList(count: count))
    }
}
