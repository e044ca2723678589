import Access
import HTTPModel
import JSONText
import Scalars
import Tables
import ZumoProtocol

/// The tables, and what each of them is.
struct TablePages: Sendable {
    private let parts: PageDependencies

    init(_ parts: PageDependencies) {
        self.parts = parts
    }

    /// - Parameter path: after `tables`.
    func answer(
        _ request: HTTPRequest, _ target: RequestTarget, _ path: [String]
    ) async throws(PageFault) -> RouteResponse {
        switch path.count {
        case 0:
            try only([.get, .head], request)
            return RouteResponse(.page(await list()))
        case 1:
            try only([.get, .head], request)
            return RouteResponse(.page(try await description(of: try table(path[0]))))
        case 2 where path[1] == "values":
            try only([.get, .head], request)
            func member(_ name: String) -> String { target.query.last { $0.name == name }?.value ?? "" }
            var answer = await parts.values(
                try table(path[0]).table.name.text, member("column"), member("filter"), member("deleted") == "1")
            if let offset = answer.queryOffset { PageRows.tell(offset, in: &answer.response) }
            return answer
        case 2 where path[1] == "columns":
            try only([.post], request)
            let wanted = try TableExtension.column(in: request)
            let table = try table(path[0])
            guard table.table.column(wanted.name) == nil else {
                throw .other(
                    ErrorResponse(.conflict, .columnNameInvalid, "The table has a column \(wanted.name) already."))
            }
            return try await grow(table, [wanted], [])
        case 2 where path[1] == "indexes":
            try only([.post], request)
            let table = try table(path[0])
            return try await grow(table, [], [try TableExtension.index(in: request, of: table.table)])
        default: throw .unknownPath
        }
    }

    private func description(of table: PageTable) async throws(PageFault) -> [UInt8] {
        var table = table
        do throws(TableError) {
            for index in try await parts.growth?.indexes(of: table.table) ?? [] where !table.indexes.contains(index) {
                table.indexes.append(index)
            }
        } catch {
            throw .store(error)
        }
        return TableDetails.json(of: table)
    }

    private func grow(
        _ table: PageTable, _ columns: [Column], _ indexes: [[Identifier]]
    ) async throws(PageFault) -> RouteResponse {
        guard let growth = parts.growth else { throw .unknownPath }
        do throws(TableError) {
            _ = try await growth.grow(table.table, columns: columns, indexes: indexes)
        } catch {
            throw TableExtension.fault(error)
        }
        var answer = RouteResponse(
            .page(try await description(of: try self.table(table.table.name.text)), .created))
        answer.table = table.table.name.text
        return answer
    }

    private func only(_ methods: [HTTPMethod], _ request: HTTPRequest) throws(PageFault) {
        guard methods.contains(request.method) else {
            throw .method(request.method, methods.map(\.name).joined(separator: ", "))
        }
    }

    private func table(_ name: String) throws(PageFault) -> PageTable {
        guard let identifier = Identifier(name),
            let table = parts.tables().first(where: { $0.table.name == identifier })
        else { throw .unknownTable }
        return table
    }

    private func list() async -> [UInt8] {
        let figures = await parts.figures()
        var json = JSONWriter(capacity: 4_096)
        json.raw("{\"tables\":[")
        for (index, table) in parts.tables().enumerated() {
            if index > 0 { json.raw(",") }
            Self.write(table, figures[table.table.name] ?? TableFigures(), to: &json)
        }
        json.raw("]}")
        return json.bytes
    }

    private static func write(_ table: PageTable, _ figures: TableFigures, to json: inout JSONWriter) {
        json.raw("{\"name\":")
        json.string(table.table.name.text)
        json.raw(",\"rows\":")
        json.value(figures.rows.map { .integer($0) } ?? .null)
        json.raw(",\"deleted\":")
        json.value(figures.deleted.map { .integer($0) } ?? .null)
        json.raw(",\"counted\":")
        json.value(figures.countedAt.map { .string($0.wireText) } ?? .null)
        json.raw(",\"bytes\":")
        json.value(figures.bytes.map { .integer($0) } ?? .null)
        json.raw(",\"lastChange\":")
        json.value(figures.lastChange.map { .string($0.wireText) } ?? .null)
        json.raw(",\"softDelete\":")
        json.boolean(table.table.rules.softDelete)
        json.raw(",\"idKind\":")
        json.string(table.table.rules.autoIncrement ? "number" : "text")
        json.raw(",\"access\":")
        json.value(TableDetails.access(table.access))
        json.raw(",\"behaviours\":")
        json.value(.array(table.behaviours.map { .string($0) }))
        json.raw(",\"dialects\":")
        json.value(.array(Generation.allCases.map { .string($0.rawValue) }))
        json.raw("}")
    }
}
