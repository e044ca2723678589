import ContinuationTokens
import HTTPModel
import OData
import TableOperations
import Tables

/// `GET /tables/NAME`: a page of rows.
enum AppsList {
    static func answer(
        _ request: TableRequest, in admitted: AdmittedTable<Reading>
    ) async throws(RequestError) -> OperationAnswer<HTTPResponse> {
        let table = request.table
        let options = try Options.parse(request.target.query)
        try RowPage.checkTop(options, request)
        var query = RowPage.query(options, request, in: admitted)
        let isShort = request.page == nil && ShortPage.isFollowed(options, request.http.fields, hasLink: true)
        do throws(RequestError) {
            let firstCount = try await RowPage.goOn(options, &query, request)
            let answers = request.settings.answers
            let rows = RowJSON.list(
                wrapped: options.wantsCount, within: isShort ? answers.short : answers,
                adding: CallerIdentities.member(for: request))
            // Some clients take a page with fewer rows than they asked for as the last one.
            let isFollowed = isShort || options.top == nil
            switch try await request.list(query, in: admitted, into: rows) {
            case .result(var page):
                try RowPage.checkEnd(of: page, page.rows.end, limit: query.limit, isFollowed: isFollowed, request)
                let count = firstCount ?? page.totalCount
                let link = try await link(behind: page, of: query, count: count, options, request)
                return .result(RowPage.response(&page.rows, count: count, link: link))
            case .script(var answer):
                try RowPage.checkEnd(of: answer, isFollowed: isFollowed, request)
                if let page = answer.page, options.top == nil || answer.end?.cut != nil {
                    answer.link = try await link(behind: page, of: query, count: answer.count, options, request)
                }
                return .script(answer)
            }
        } catch {
            // Users of the data page should learn that they misspelled a column.
            guard request.page == nil, RowPage.isAboutColumnToBe(error, in: table) else { throw error }
            return .result(RowPage.empty(wrapped: options.wantsCount))
        }
    }

    /// Returns the link to the next page; nil if there is none, or if the client has set the end: with $top, a page of
    /// that many rows has no link; without it, one that the server's own limit ended has (v2-63, v2-171).
    private static func link(
        behind page: Page<RowJSON>, of query: TableQuery, count: Int64?, _ options: QueryOptions,
        _ request: TableRequest
    ) async throws(RequestError) -> String? {
        let rest = options.top.map { $0 - page.rowCount }
        guard page.hasMore, rest.map({ $0 > 0 }) ?? true, page.rowCount > 0 else { return nil }
        let token = try await request.token(behind: page, of: query, count: count)
        return try await AppsLink.value(
            of: request, skip: RowPage.skip(options, behind: page.rowCount), top: rest, token: token)
    }
}
