import HTTPModel
import OData
import TableOperations
import Tables

/// `GET /tables/NAME` of a v1 client: a page of rows, never with a link to the next: the Node runtime sent none, and
/// knew no option that a link could go on by.
enum ServicesList {
    static func answer(
        _ request: TableRequest, in admitted: AdmittedTable<Reading>
    ) async throws(RequestError) -> OperationAnswer<HTTPResponse> {
        let table = request.table
        let options = try Options.parse(request.target.query, language: .services)
        try RowPage.checkTop(options, request)
        // There is no link: only a pull goes on by itself, and others would take what they got for all.
        let isFollowed = ShortPage.isFollowed(options, request.http.fields, hasLink: false)
        do throws(RequestError) {
            let columns = try ServicesColumns(of: table, select: options.select, request.target.query)
            var query = RowPage.query(options, request, in: admitted)
            query.select = columns.names
            // Where rows have numbers nothing could say which of them are tombstones.
            if table.rules.autoIncrement { query.includeDeleted = false }
            let answers = request.settings.answers
            let rows = ServicesRowJSON.list(
                wrapped: options.wantsCount, showing: columns.shown, within: isFollowed ? answers.short : answers,
                adding: CallerIdentities.member(for: request))
            switch try await request.list(query, in: admitted, into: rows) {
            case .result(var page):
                try RowPage.checkEnd(
                    of: page, page.rows.asked.end, limit: query.limit, isFollowed: isFollowed, request)
                return .result(RowPage.response(&page.rows.asked, count: page.totalCount, link: nil))
            case .script(let answer):
                try RowPage.checkEnd(of: answer, isFollowed: isFollowed, request)
                return .script(answer)
            }
        } catch {
            guard RowPage.isAboutColumnToBe(error, in: table) else { throw error }
            return .result(RowPage.empty(wrapped: options.wantsCount))
        }
    }
}
