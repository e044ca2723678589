import JSONText
import OData
import TableOperations
import Tables

/// What scripts ask of tables beside their own operation: past access, scripts and hooks, for the rows that the tables
/// are handed with.
struct ScriptTableAccess {
    let tables: ServerTables
    let generation: ScriptGeneration

    /// The most rows that are removed in one go before it is looked for more.
    private static let swept = 1_000

    func reply(to ask: JSONValue) async -> JSONValue {
        let operation = ask["operation"]?.textValue ?? ""
        do throws(RowsError) {
            return try await reply(to: ask, operation, tables[ask["table"]?.textValue ?? ""])
        } catch {
            return failure(error, of: operation)
        }
    }

    private func reply(
        to ask: JSONValue, _ operation: String, _ table: TableRows
    ) async throws(RowsError) -> JSONValue {
        let id = Self.id(ask["rowID"])
        let version = ask["version"]?.textValue
        guard let item = ScriptValues.properties(ask["item"]) else {
            return ScriptValues.failure("bad", 400, "a column can't hold an object or an array")
        }
        var record = Record(item)
        switch operation {
        case "read": return try await read(ask, id, table)
        case "insert":
            Self.strip(&record, keepsID: true)
            return ScriptValues.reply(try await table.insert(record), for: generation)
        case "update":
            let given = id ?? record.id ?? ""
            Self.strip(&record, keepsID: false)
            return ScriptValues.reply(
                try await narrowed(table, by: ask).update(given, set: record, ifVersion: version), for: generation)
        case "delete":
            guard let id = id ?? record.id else { return try await sweep(ask, version, table) }
            return ScriptValues.reply(
                try await narrowed(table, by: ask).delete(id, ifVersion: version), for: generation)
        case "undelete":
            guard let id = id ?? record.id else { return try await restore(ask, version, table) }
            return ScriptValues.reply(
                try await narrowed(table, by: ask).undelete(id, ifVersion: version), for: generation)
        case "truncate":
            while true {
                let rows = try await table.list(top: Self.swept)
                for row in rows { if let id = row.id { _ = try await table.delete(id) } }
                if rows.count < Self.swept { return ScriptValues.reply(nil, for: generation) }
            }
        default: return ScriptValues.failure("bad", 400, "tables know no such operation")
        }
    }

    private func read(_ ask: JSONValue, _ id: String?, _ table: TableRows) async throws(RowsError) -> JSONValue {
        if let id {
            let row = try await narrowed(table, by: ask).find(
                id, includeDeleted: ask["query"]?["includeDeleted"]?.booleanValue ?? false)
            return ScriptValues.reply(row, for: generation)
        }
        let page = try await page(ask, table, includesDeleted: ask["query"]?["includeDeleted"]?.booleanValue ?? false)
        return ScriptValues.reply(page.rows, count: page.count, for: generation)
    }

    /// The rows of a query. Where it names a column that no row has had yet, and one may bring, there are none.
    private func page(
        _ ask: JSONValue, _ table: TableRows, includesDeleted: Bool
    ) async throws(RowsError) -> (rows: [Record], count: Int64?) {
        let query = ask["query"] ?? .null
        let wantsCount = query["count"]?.booleanValue ?? false
        do throws(RowsError) {
            return try await table.page(
                where: try condition(of: ask), orderBy: query["orderby"]?.textValue,
                skip: Int(clamping: query["skip"]?.integerValue ?? 0),
                top: Int(clamping: min(query["top"]?.integerValue ?? 1_000, ScriptQuery.maximumLimit)),
                select: query["select"]?.textValue, includeDeleted: includesDeleted, wantsCount: wantsCount)
        } catch {
            guard case .operation(let reason) = error, table.isAboutColumnToBe(reason) else { throw error }
            return ([], wantsCount ? 0 : nil)
        }
    }

    /// Deletes the rows that fulfil a query's conditions, each by a statement that has them in it.
    private func sweep(_ ask: JSONValue, _ version: String?, _ table: TableRows) async throws(RowsError) -> JSONValue {
        let narrowed = try narrowed(table, by: ask)
        // Whoever says which of them means these, and not those that come next.
        let isBounded = ask["query"]?["top"]?.integerValue != nil || (ask["query"]?["skip"]?.integerValue ?? 0) > 0
        var gone: [Record] = []
        while true {
            let rows = try await page(ask, table, includesDeleted: false).rows
            try Self.check(rows, have: version)
            let before = gone.count
            for row in rows {
                guard let id = row.id else { continue }
                do throws(RowsError) {
                    gone.append(try await narrowed.delete(id, ifVersion: version))
                } catch .noRow {
                    // Another write has come between, and it is none of these any more.
                }
            }
            if isBounded || rows.count < Self.swept || gone.count == before { break }
        }
        guard !gone.isEmpty else { throw .noRow }
        return ScriptValues.reply(gone, count: nil, for: generation)
    }

    /// Brings back the tombstones that fulfil a query's conditions.
    private func restore(_ ask: JSONValue, _ version: String?, _ table: TableRows) async throws(RowsError) -> JSONValue
    {
        let narrowed = try narrowed(table, by: ask)
        let rows = try await page(ask, table, includesDeleted: true).rows
            .filter { $0["deleted"] == .boolean(true) }
        try Self.check(rows, have: version)
        var back: [Record] = []
        for row in rows {
            guard let id = row.id else { continue }
            do throws(RowsError) {
                back.append(try await narrowed.undelete(id, ifVersion: version))
            } catch .noRow {
                // Another write has come between, and it is none of these any more.
            }
        }
        guard !back.isEmpty else { throw .noRow }
        return ScriptValues.reply(back, count: nil, for: generation)
    }

    /// Has nothing be written where a row has another version than the one that is demanded.
    private static func check(_ rows: [Record], have version: String?) throws(RowsError) {
        guard let version else { return }
        let demand = Precondition(versionIn: version)
        let other = rows.first {
            !($0.version.flatMap { Version(wireText: $0) }.map { demand.holds(for: $0) } ?? false)
        }
        if let other { throw .conflict(other) }
    }

    /// The table, of whose rows a call knows only those that a query's conditions are true of.
    private func narrowed(_ table: TableRows, by ask: JSONValue) throws(RowsError) -> TableRows {
        try table.one(where: try condition(of: ask))
    }

    private func condition(of ask: JSONValue) throws(RowsError) -> String? {
        do throws(QueryError) {
            return try ScriptQuery.condition(of: ask["query"] ?? .null)
        } catch {
            throw .operation(.table(.query(error)))
        }
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

    private func failure(_ error: RowsError, of operation: String) -> JSONValue {
        switch error {
        case .noTable(let name): ScriptValues.failure("store", 500, "The table '\(name)' does not exist.")
        // The Node SDK made no difference between a row that isn't there and one that has changed.
        case .noRow where generation == .v2: ScriptValues.failure("unmatched", 404, "No records were updated")
        case .noRow: ScriptValues.failure("missing", 404, "The item does not exist")
        case .conflict(let row) where operation == "insert":
            ScriptValues.failure("duplicate", 409, "An item with the same id already exists", row: row, for: generation)
        case .conflict(let row):
            ScriptValues.failure("conflict", 412, "No records were updated", row: row, for: generation)
        case .invalidID: ScriptValues.failure("bad", 400, "a row can't have this id")
        case .operation(let error): ScriptValues.failure(error, for: generation)
        }
    }
}
