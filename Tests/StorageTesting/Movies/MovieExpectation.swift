import OData
import Tables
import Testing

/// The queries of the upstream suites, over the tables that those have.
public enum MovieQueries {
    /// Checks that every query of a model finds the rows that upstream expects.
    ///
    /// - Parameter model: the suites: `ct` and `ms` are of v3 servers, the latter of v2 ones too, `legacy` is of v2.
    /// - Returns: how many queries were checked. The others are those that upstream refuses to the caller, which is the
    ///   access rules' part and no store's.
    public static func check(_ model: String, on kind: BackendKind) async throws -> Int {
        let bench = Bench(try await kind.make())
        do {
            let tables = try await MovieTables.open(model, on: bench)
            var checked = 0
            for query in try MovieQuery.all() where query.model == model {
                if query.returned == "HTTP 401" || query.returned == "HTTP 451" { continue }
                checked += 1
                guard let table = tables.table(query) else {
                    #expect(query.returned == "HTTP 404", "\(query)")
                    continue
                }
                try await MovieExpectation(query, table, tables.store).check()
            }
            try await bench.finish()
            return checked
        } catch {
            try? await bench.finish()
            throw error
        }
    }
}

/// One query with what it has to answer.
private struct MovieExpectation {
    let query: MovieQuery
    let table: Table
    let store: any TableStore
    let pageSize: Int

    init(_ query: MovieQuery, _ table: Table, _ store: any TableStore) {
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
        if query.language == .datasync { #expect(isCut == !query.nextLink.isEmpty, "\(query)") }
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
        let options = try QueryOptions.parse(query.members, language: query.language)
        if let top = options.top, top > (query.language == .datasync ? 128_000 : 1_000) {
            throw QueryError("$top", at: nil, .overLimit(.names, limit: 1_000, found: top))
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
        if query.table == "movies_rated" {
            // The view of whom the suites let in.
            let rated = Expression.binary(.equal, .column("rating", at: 0), .literal(.text("R"), at: 0), at: 0)
            request.scope = RowScope(rated)
        }
        request.textComparison = query.language == .datasync ? .ordinal : .ignoringCase
        request.nullComparison = query.language == .datasync ? .value : .unknown
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
