import Access
import HTTPModel
import JSONText
import Scalars
import Tables
import ZumoProtocol

/// Answers the page's requests about tables.
struct TablePages: Sendable {
    let parts: PageDependencies

    /// - Parameter path: the path's segments after `tables`.
    func answer(
        _ request: HTTPRequest, _ target: RequestTarget, _ path: [String]
    ) async throws(PageFault) -> RouteResponse {
        switch path.count {
        case 0:
            try PageFault.only(request)
            return RouteResponse(.page(await list()))
        case 1:
            try PageFault.only(request)
            return RouteResponse(.page(try await description(of: try table(path[0]))))
        case 2 where path[1] == "values":
            try PageFault.only(request)
            func member(_ name: String) -> String { target.query.last { $0.name == name }?.value ?? "" }
            var answer = await parts.values(
                try table(path[0]).table.name.text, member("column"), member("filter"), member("deleted") == "1")
            if let offset = answer.queryOffset { PageRows.tell(offset, in: &answer.response) }
            return answer
        case 2 where path[1] == "columns":
            try PageFault.only(request, [.post])
            let wanted = try TableExtension.column(in: request)
            let table = try table(path[0])
            guard table.table.column(wanted.name) == nil else {
                throw .other(
                    ErrorResponse(.conflict, .columnNameInvalid, "The table has a column \(wanted.name) already."))
            }
            return try await grow(table, [wanted], [])
        case 2 where path[1] == "indexes":
            try PageFault.only(request, [.post])
            let table = try table(path[0])
            return try await grow(table, [], [try TableExtension.index(in: request, of: table.table)])
        default: throw .unknownPath
        }
    }

    private func description(of table: PageTable) async throws(PageFault) -> JSONValue {
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

    private func table(_ name: String) throws(PageFault) -> PageTable {
        guard let identifier = Identifier(name),
            let table = parts.tables().first(where: { $0.table.name == identifier })
        else { throw .unknownTable }
        return table
    }

    private func list() async -> JSONValue {
        let figures = await parts.figures()
        return [
            "tables": .array(
                parts.tables().map { Self.json(of: $0, figures[$0.table.name] ?? TableFigures()) })
        ]
    }

    private static func json(of table: PageTable, _ figures: TableFigures) -> JSONValue {
        [
            "name": .string(table.table.name.text), "rows": JSONValue(figures.rows),
            "deleted": JSONValue(figures.deleted), "counted": JSONValue(figures.countedAt?.wireText),
            "bytes": JSONValue(figures.bytes), "lastChange": JSONValue(figures.lastChange?.wireText),
            "softDelete": .boolean(table.table.rules.softDelete),
            "idKind": .string(table.table.rules.autoIncrement ? "number" : "text"),
            "access": TableDetails.access(table.access), "behaviours": JSONValue(table.behaviours),
            "dialects": JSONValue(Generation.allCases.map(\.rawValue)),
        ]
    }
}
