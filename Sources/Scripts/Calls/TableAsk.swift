import JSONText
import OData
import TableOperations
import Tables

/// What scripts ask of tables beside their own operation: as the server, for the rows of everybody, past scripts and hooks.
struct TableAsk {
    let tables: ServerTables
    let generation: ScriptGeneration

    /// The most rows that `truncate` removes in one go before it looks for more.
    private static let truncated = 1_000

    func reply(to ask: JSONValue) async -> JSONValue {
        do throws(RowsError) {
            let table = try tables[ask["table"]?.textValue ?? ""]
            if generation == .v2, table.hasOwners { return Self.refusal(of: table.name) }
            return try await reply(to: ask, table)
        } catch {
            return failure(error)
        }
    }

    /// A script of the Node SDK gets the rows of all users here, where its project says that each sees its own.
    private static func refusal(of table: String) -> JSONValue {
        ScriptValues.failure(
            "store", 500,
            "context.tables('\(table)'): the table is perUser, and context.tables knows no users: it would read and write "
                + "the rows of everybody; nothing was done. context.execute() does the caller's own; where the rows of all "
                + "are meant, context.data.execute runs SQL")
    }

    private func reply(to ask: JSONValue, _ table: TableRows) async throws(RowsError) -> JSONValue {
        let id = Self.id(ask["rowID"])
        let version = ask["version"]?.textValue
        guard let item = ScriptValues.properties(ask["item"]) else {
            return ScriptValues.failure("bad", 400, "a column can't hold an object or an array")
        }
        var record = Record(item)
        switch ask["operation"]?.textValue {
        case "read": return try await read(ask, id, table)
        case "insert":
            Self.strip(&record, keepsID: true)
            return ScriptValues.reply(try await table.insert(record), for: generation)
        case "update":
            let given = id ?? record.id ?? ""
            Self.strip(&record, keepsID: false)
            return ScriptValues.reply(
                try await table.update(given, set: record, ifVersion: version), for: generation)
        case "delete":
            return ScriptValues.reply(
                try await table.delete(id ?? record.id ?? "", ifVersion: version), for: generation)
        case "undelete":
            return ScriptValues.reply(
                try await table.undelete(id ?? record.id ?? "", ifVersion: version), for: generation)
        case "truncate":
            while true {
                let rows = try await table.list(top: Self.truncated)
                for row in rows { if let id = row.id { _ = try await table.delete(id) } }
                if rows.count < Self.truncated { return ScriptValues.reply(nil, for: generation) }
            }
        default: return ScriptValues.failure("bad", 400, "tables know no such operation")
        }
    }

    private func read(_ ask: JSONValue, _ id: String?, _ table: TableRows) async throws(RowsError) -> JSONValue {
        let query = ask["query"] ?? .null
        if let id {
            let row = try await table.find(id, includeDeleted: query["includeDeleted"]?.booleanValue ?? false)
            return ScriptValues.reply(row, for: generation)
        }
        let condition: String?
        do throws(QueryError) {
            condition = try ScriptQuery.condition(of: query)
        } catch {
            throw .operation(.table(.query(error)))
        }
        let page = try await table.page(
            where: condition, orderBy: query["orderby"]?.textValue,
            skip: Int(clamping: query["skip"]?.integerValue ?? 0),
            top: Int(clamping: min(query["top"]?.integerValue ?? 1_000, ScriptQuery.maximumLimit)),
            select: query["select"]?.textValue, includeDeleted: query["includeDeleted"]?.booleanValue ?? false,
            wantsCount: query["count"]?.booleanValue ?? false)
        return ScriptValues.reply(page.rows, count: page.count, for: generation)
    }

    private static func id(_ value: JSONValue?) -> String? {
        value?.textValue ?? value?.integerValue.map { String($0) }
    }

    /// The server's own columns are none of a script's business.
    private static func strip(_ record: inout Record, keepsID: Bool) {
        for column in SystemColumn.allCases {
            record["__\(column.rawValue)"] = nil
            if column != .id || !keepsID { record[column.rawValue] = nil }
        }
    }

    private func failure(_ error: RowsError) -> JSONValue {
        switch error {
        case .noTable(let name): ScriptValues.failure("missing", 404, "there is no table \(name)")
        case .noRow: ScriptValues.failure("missing", 404, "The item does not exist")
        case .conflict(let row):
            ScriptValues.failure("conflict", 412, "the row is there, or has another version", row: row, for: generation)
        case .invalidID: ScriptValues.failure("bad", 400, "a row can't have this id")
        case .operation(let error): ScriptValues.failure(error, for: generation)
        }
    }
}
