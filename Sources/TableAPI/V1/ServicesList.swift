import HTTPModel
import OData
import TableOperations
import Tables

/// `GET /tables/NAME` of a v1 client: a page of rows, never with a link to the next: the Node runtime sent none, and
/// knew no option that a link could go on by.
enum ServicesList {
    static func answer(
        _ request: TableRequest, in admitted: AdmittedTable<Reading>
    ) async throws(RequestError) -> HTTPResponse {
        let table = request.table
        let options = try Options.parse(request.target.query, language: .services)
        try RowPage.checkTop(options, request)
        do throws(RequestError) {
            let columns = try ServicesColumns(of: table, select: options.select, request.target.query)
            var query = RowPage.query(options, request, in: admitted)
            query.select = columns.names
            // Where rows have numbers nothing could say which of them are tombstones.
            if table.rules.autoIncrement { query.includeDeleted = false }
            var page = try await list(query, request, in: admitted, columns.shown, wrapped: options.wantsCount)
            // There is no link, and a client that got fewer rows than it may have would take them for the last ones.
            try RowPage.checkEnd(of: page, page.rows.asked.end, limit: query.limit, isCutWithLink: false, request)
            return RowPage.response(&page.rows.asked, count: page.totalCount, link: nil)
        } catch {
            guard RowPage.isAboutColumnToBe(error, in: table) else { throw error }
            return RowPage.empty(wrapped: options.wantsCount)
        }
    }

    private static func list(
        _ query: TableQuery, _ request: TableRequest, in admitted: AdmittedTable<Reading>,
        _ shown: SystemProperties, wrapped: Bool
    ) async throws(RequestError) -> Page<ServicesRowJSON> {
        try await request.operating { () async throws(OperationError) -> Page<ServicesRowJSON> in
            try await request.operations.list(
                query, in: admitted,
                into: .list(
                    wrapped: wrapped, showing: shown, within: request.settings.answers,
                    adding: CallerIdentities.member(for: request)))
        }
    }
}
