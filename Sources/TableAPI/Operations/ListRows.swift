import HTTPModel
import OData
import TableOperations
import Tables

/// `GET /tables/NAME`: a page of rows.
enum ListRows {
    static func answer(_ request: TableRequest) async throws(RequestError) -> HTTPResponse {
        let table = request.table
        let options = try Options.parse(request.target.query)
        try checkTop(options, of: table)
        do throws(RequestError) {
            let query = try await query(options, request)
            let page = try await request.operating { () async throws(OperationError) -> Page<RowJSON> in
                try await request.operations.list(
                    query, in: table, by: request.caller, into: .list(wrapped: options.wantsCount))
            }
            return response(
                page.rows, count: page.totalCount, link: try await link(behind: page, of: query, options, request))
        } catch {
            guard isAboutColumnToBe(error, in: table) else { throw error }
            return empty(wrapped: options.wantsCount)
        }
    }

    static func checkTop(_ options: QueryOptions, of table: Table) throws(RequestError) {
        if let top = options.top, table.rules.maxTop > 0, top > table.rules.maxTop {
            throw .topOverLimit(top, limit: table.rules.maxTop)
        }
    }

    /// An app may well ask for a column before its first insert makes it (quirk 7).
    static func isAboutColumnToBe(_ error: RequestError, in table: Table) -> Bool {
        guard case .operation(.table(.query(let reason))) = error, case .unknownColumn = reason.reason else {
            return false
        }
        return table.rules.dynamicSchema
    }

    /// The answer of a table without rows, also of one that is yet to be made.
    static func empty(wrapped: Bool) -> HTTPResponse {
        response(.list(wrapped: wrapped), count: wrapped ? 0 : nil, link: nil)
    }

    /// The link to the next page; nil where there is none, or where the client has said where to stop: with $top it
    /// does, without it the server's own page did (quirks 2 and 3).
    private static func link(
        behind page: Page<RowJSON>, of query: TableQuery, _ options: QueryOptions, _ request: TableRequest
    ) async throws(RequestError) -> String? {
        guard options.top == nil, page.hasMore else { return nil }
        let token = try await request.token(behind: page, of: query)
        return NextLink.value(of: request, skip: options.skip + page.rowCount, token: token)
    }

    static func query(
        _ options: QueryOptions, _ request: TableRequest
    ) async throws(RequestError) -> TableQuery {
        var query = TableQuery(limit: options.top ?? request.table.rules.pageSize)
        query.filter = options.filter
        query.order = options.order
        query.seenStamp = SeenStamp.stamp(in: options, of: request.generation)
        query.skip = query.seenStamp == nil ? options.skip : 0
        query.includeDeleted = options.includeDeleted
        query.wantsCount = options.wantsCount
        query.textComparison = request.settings.textComparison
        query.select = options.select
        query.scope = request.operations.lastingScope(of: request.table, for: request.caller)
        if let token = options.skipToken { query.after = try await request.place(from: token, in: query) }
        return query
    }

    static func response(_ rows: RowJSON, count: Int64?, link: String?) -> HTTPResponse {
        var fields = HTTPFields()
        fields.append("Content-Type", "application/json; charset=utf-8")
        if let link { fields.append("Link", link) }
        RowResponse.appendCacheFields(to: &fields)
        return HTTPResponse(.ok, fields: fields, body: rows.finishedList(count: count))
    }
}
