import OData
import SQLiteStorage
import StorageTesting
import Tables
import Testing

@Suite("The queries of the upstream suites") struct MovieQueryTests {
    @Test(arguments: [("ct", 375), ("ms", 522), ("legacy", 82)])
    func `every query finds the rows that upstream expects`(model: String, count: Int) async throws {
        let tables = try await MovieTables.open(model)
        var checked = 0
        for query in try MovieQuery.all() where query.model == model {
            guard let table = tables.table(query) else { continue }
            try await Expectation(query, table, tables.store).check()
            checked += 1
        }
        #expect(checked == count)
        await tables.store.close()
    }
}

/// One query with what it has to answer.
private struct Expectation {
    let query: MovieQuery
    let table: Table
    let store: SQLiteTableStore
    let pageSize: Int

    init(_ query: MovieQuery, _ table: Table, _ store: SQLiteTableStore) {
        self.query = query
        self.table = table
        self.store = store
        pageSize = query.model == "legacy" ? 1_000 : query.table.hasPrefix("movies_pagesize") ? 25 : 100
    }

    func check() async throws {
        // A row holds no places, and the filter says so.
        if query.returned.hasPrefix("HTTP") || query.text.contains("geo.distance") {
            await #expect(throws: (any Error).self, "\(query.text)") { _ = try await firstPage() }
            return
        }
        let (options, page) = try await firstPage()
        if let total = query.total { #expect(page.totalCount == total, "\(query)") }
        guard let returned = Int(query.returned) else { return try await checkWalk(options) }
        #expect(page.rowCount == returned, "\(query)")
        // The suites with an enumeration sort it by its numbers, which names don't tell.
        if query.model != "ct" || !query.text.contains("$orderby=rating") {
            #expect(
                Array(ids(page.rows).prefix(query.firstIDs.count)) == query.firstIDs,
                "\(query)")
        }
        let isCut = page.hasMore && options.top.map { $0 > returned } ?? true
        if query.dialect == .v3 { #expect(isCut == !query.nextLink.isEmpty, "\(query)") }
    }

    /// `paged:N items in M pages` or `client-paged:N`.
    private func checkWalk(_ options: QueryOptions) async throws {
        let numbers = query.returned.split { !$0.isNumber }.compactMap { Int($0) }
        let expected = try #require(numbers.first, "\(query)")
        var ids: [String] = []
        var pages = 0
        var request = try tableQuery(options)
        repeat {
            if let top = options.top { request.limit = min(pageSize, top - ids.count) }
            let page = try await store.list(request, in: table, into: RecordedRows())
            ids += page.rows.ids
            pages += 1
            request.after = page.cursor
        } while request.after != nil && ids.count < options.top ?? .max
        #expect(ids.count == expected && Set(ids).count == expected, "\(query)")
        if numbers.count > 1 { #expect(pages == numbers[1], "\(query)") }
    }

    private func firstPage() async throws -> (QueryOptions, Page<RecordedRows>) {
        let options = try QueryOptions.parse(query.members, dialect: query.dialect)
        if let top = options.top, top > (query.dialect == .v3 ? 128_000 : 1_000) {
            throw QueryError("$top", at: nil, .overLimit(limit: 1_000, found: top))
        }
        return (options, try await store.list(try tableQuery(options), in: table, into: RecordedRows()))
    }

    private func tableQuery(_ options: QueryOptions) throws -> TableQuery {
        var request = TableQuery(limit: min(options.top ?? pageSize, pageSize))
        request.filter = options.filter
        request.order = options.order
        request.skip = options.skip
        request.wantsCount = options.wantsCount
        request.includeDeleted = options.includeDeleted || query.header.contains("include:deleted")
        request.select = options.select.map { $0 + [SelectedName("id", at: 0)] }
        request.textComparison = query.dialect == .v3 ? .ordinal : .ignoringCase
        request.nullComparison = query.dialect == .v3 ? .value : .unknown
        return request
    }

    /// `#0` stands for the first row, whose number is 1.
    private func ids(_ rows: RecordedRows) -> [String] {
        rows.rows.compactMap { row in
            switch row["id"] {
            case .text(let id): id
            case .integer(let number): "#\(number - 1)"
            default: nil
            }
        }
    }
}
