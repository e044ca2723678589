import HTTPModel
import RouteDescription
import SQLiteStorage
import ServerConfiguration
import ServerMetrics
import TableOperations
import Tables
import Testing
import ZumoProtocol

@testable import ServerApp
@testable import TableAPI

/// A protocol that no client speaks: rows are lines of text, and PUT makes one.
private struct ToyTables: TableGeneration {
    var generation: Generation {
        Generation(
            "toy", "as a toy (9)", version: .init("9.0", major: "9", counts: 2...2), family: .apps,
            preflightStatus: .noContent)
    }

    func operation(_ method: HTTPMethod, hasID: Bool) -> Operation? {
        switch method {
        case .get: .read
        case .put: hasID ? .insert : nil
        default: nil
        }
    }

    func maxTop(of table: Table) -> Int { 3 }

    func emptyList(_ target: RequestTarget) throws(RequestError) -> HTTPResponse { HTTPResponse(.ok) }

    func checkInsert(_ request: TableRequest) throws(RequestError) {}

    func answer(
        _ admission: TableAdmission, id: String?, to request: TableRequest
    ) async throws(RequestError) -> OperationAnswer<HTTPResponse> {
        switch (admission, id) {
        case (.read(let admitted), nil):
            let query = TableQuery(limit: maxTop(of: request.table))
            return try await request.list(query, in: admitted, into: Lines()).map { page in
                HTTPResponse(.ok, body: page.rows.bytes)
            }
        case (.insert(let admitted), let id?):
            let text = Property("text", .text(String(decoding: request.http.body, as: UTF8.self)))
            let write = TableWrite.insert([text], id: .text(id), in: admitted, request.call)
            return try await request.perform(write, into: Lines()).map { result in
                HTTPResponse(result.outcome == .written ? .created : .conflict, body: result.row.bytes)
            }
        default: throw .rowMissing
        }
    }

    var described: DescribedGeneration {
        var described = DescribedGeneration()
        described.insertConflicts = [.conflict]
        return described
    }

    /// The texts of rows, each with the column's name before it.
    private struct Lines: RowVisitor {
        private(set) var bytes: [UInt8] = []
        private var column = 0
        private var shown: Set<Int> = []

        mutating func begin(_ layout: RowLayout) {
            shown = Set(layout.fields.indices.filter { layout.fields[$0].name == "text" })
        }
        mutating func beginRow() { column = 0 }
        mutating func visit(_ cell: RowCell) {
            if shown.contains(column), cell.kind == .text { bytes += "\(cell.text)\n".utf8 }
            column += 1
        }
        mutating func endRow() {}
    }
}

@Suite struct `A generation from outside` {
    private let handler: RootHandler
    private let routes: [any Route]

    init() throws {
        let table = TableDefinition(name: try #require(Identifier("Note")))
        let store = try SQLiteTableStore.open(.memory, tables: [table], servesClientTables: false)
        var settings = TableSettings(authenticator: Configuration().auth.authenticator())
        settings.tables.append(ToyTables())
        settings.generations = Generations(Generation.allCases + [ToyTables().generation])
        let metrics = ServerMetrics(version: Release.version)
        routes = Routes.all(over: store, settings, metrics: metrics)
        handler = RootHandler(
            routes, generations: settings.generations, proxies: .loopback, telling: [metrics.requests])
    }

    private func send(_ method: HTTPMethod, _ target: String, _ body: String = "", _ version: String) async -> (
        HTTPStatus, String
    ) {
        var request = HTTPRequest(method: method, target: Array(target.utf8), body: Array(body.utf8))
        request.fields.append("ZUMO-API-VERSION", version)
        let response = await handler.respond(to: request)
        return (response.status, String(decoding: response.body.joined ?? [], as: UTF8.self))
    }

    @Test func `is spoken beside the others, over the same rows`() async throws {
        #expect(await send(.put, "/tables/Note/a", "one", "9.0") == (.created, "one\n"))
        #expect(await send(.put, "/tables/Note/a", "two", "9.0") == (.conflict, "one\n"))
        #expect(await send(.put, "/tables/Note/a", "two", "2.0.0").0 == .methodNotAllowed)
        #expect(await send(.get, "/tables/Note/a", "", "2.0.0").1.contains("\"text\":\"one\""))
        for id in ["b", "c", "d"] { _ = await send(.put, "/tables/Note/\(id)", id, "9.0") }
        #expect(await send(.get, "/tables/Note", "", "9.0") == (.ok, "one\nb\nc\n"))
        #expect(await send(.delete, "/tables/Note/a", "", "9.0").0 == .methodNotAllowed)
        var document = OpenAPIDocument(ToyTables().generation)
        for route in routes { route.describe(in: &document) }
        #expect(document.routes.map(\.id).filter { $0.hasSuffix("_Note") } == ["list_Note", "get_Note", "insert_Note"])
    }
}
