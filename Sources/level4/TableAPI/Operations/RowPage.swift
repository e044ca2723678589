import ContinuationTokens
import HTTPModel
import OData
import TableOperations
import Tables

/// The shared part of all generations' lists: where a page begins and ends, and how it is answered.
enum RowPage {
    static func checkTop(_ options: QueryOptions, _ request: TableRequest) throws(RequestError) {
        let limit = request.generation.maxTop(of: request.table)
        if let top = options.top, limit > 0, top > limit { throw .topOverLimit(top, limit: limit) }
    }

    /// Refuses a page that was cut short if its client would not notice.
    /// - Parameters:
    ///   - limit: the maximum number of rows of the page.
    ///   - isFollowed: whether the client continues after the page.
    static func checkEnd<Rows: Sendable>(
        of page: Page<Rows>, _ end: RowJSON.End, limit: Int, isFollowed: Bool, _ request: TableRequest
    ) throws(RequestError) {
        switch end {
        case .none: return
        case .budget: throw .buffersFull
        case .answer:
            guard page.hasMore, page.rowCount < limit, !isFollowed else { return }
            throw .answerTooLarge(rows: page.rowCount, limit: request.settings.answers.bytes)
        }
    }

    /// The same for a page whose rows a script has rebuilt.
    static func checkEnd(
        of answer: ScriptedAnswer, isFollowed: Bool, _ request: TableRequest
    ) throws(RequestError) {
        guard answer.page != nil, let end = answer.end else { return }
        switch end.cut {
        case nil: return
        case .memory: throw .buffersFull
        case .size:
            guard !isFollowed else { return }
            throw .answerTooLarge(rows: end.rowCount, limit: request.settings.answers.bytes)
        }
    }

    /// Whether a query fails only for a column that an app's first insert has yet to create (v2-96).
    static func isAboutColumnToBe(_ error: RequestError, in table: Table) -> Bool {
        guard case .operation(let reason) = error else { return false }
        return reason.isAboutColumnToBe(in: table)
    }

    /// Returns the answer for a table without rows, including one that doesn't exist yet.
    static func empty(wrapped: Bool) -> HTTPResponse {
        var rows = RowJSON.list(wrapped: wrapped)
        return response(&rows, count: wrapped ? 0 : nil, link: nil)
    }

    /// Returns the query for a list's first page.
    static func query(
        _ options: QueryOptions, _ request: TableRequest, in admitted: AdmittedTable<Reading>
    ) -> TableQuery {
        var query = TableQuery(limit: options.top ?? request.page?.pageSize ?? request.table.rules.pageSize)
        query.filter = options.filter
        query.order = options.order
        query.seenStamp = request.generation.pullsBySeenStamp ? SeenStamp.stamp(in: options) : nil
        query.skip = query.seenStamp == nil ? options.skip : 0
        query.includeDeleted = options.includeDeleted
        query.wantsCount = options.wantsCount
        query.textComparison = request.settings.textComparison
        query.select = options.select
        query.asker = request.asker
        query.scope = request.operations.lastingScope(of: admitted)
        return query
    }

    /// Makes a query start where a link says that its page does.
    /// - Returns: the count of the list's first page if the link has it: counting all rows for each page would cost
    ///   more than the page.
    static func goOn(
        _ options: QueryOptions, _ query: inout TableQuery, _ request: TableRequest
    ) async throws(RequestError) -> Int64? {
        guard let token = options.skipToken else { return nil }
        let place = try await request.place(from: token, in: query)
        query.after = place.cursor
        guard options.wantsCount, let count = place.count else { return nil }
        query.wantsCount = false
        return count
    }

    /// The `$skip` of the link to the next page. It is not used if there is a token, so an overflow does no harm.
    static func skip(_ options: QueryOptions, behind rowCount: Int) -> Int {
        let (skip, isBeyond) = options.skip.addingReportingOverflow(rowCount)
        return isBeyond ? .max : skip
    }

    static func response(_ rows: inout RowJSON, count: Int64?, link: String?) -> HTTPResponse {
        var fields = HTTPFields()
        fields.append("Content-Type", "application/json; charset=utf-8")
        if let link { fields.append("Link", link) }
        fields.append(contentsOf: RowResponse.checked)
        var response = HTTPResponse(.ok, fields: fields, body: rows.finishList(count: count))
        response.charge = rows.charge
        response.itemCount = rows.rowCount
        return response
    }
}

extension RowJSON: BoundedRows {
    var cut: PageTruncation? {
        switch end {
        case .none: nil
        case .answer: .size
        case .budget: .memory
        }
    }
}

extension ServicesRowJSON: BoundedRows {
    var cut: PageTruncation? { asked.cut }
}
