import OData
import TableOperations
import Tables

/// The access of scripts to tables outside their own operation: without access rules, scripts and hooks, limited to the
/// rows of the given tables.
struct ScriptTableAccess {
    let tables: ServerTables
    let generation: ScriptGeneration

    /// The number of rows removed at once before looking for more.
    private static let swept = 1_000

    func reply(to ask: AskedRows) async -> ScriptReply {
        do throws(RowsError) {
            return try await reply(to: ask, tables[ask.table])
        } catch {
            return .failed(failure(error, of: ask.operation))
        }
    }

    private func reply(to ask: AskedRows, _ table: TableRows) async throws(RowsError) -> ScriptReply {
        guard let item = ask.item else {
            return .failed(AskFailure(.bad, 400, "a column can't hold an object or an array"))
        }
        var record = Record(item.map(generation.typed))
        let id = ask.rowID ?? record.id
        switch ask.operation {
        case .read: return try await read(ask, table)
        case .insert:
            Self.strip(&record, keepsID: true)
            return .row(try await table.insert(record), generation)
        case .update:
            Self.strip(&record, keepsID: false)
            return .row(
                try await narrowed(table, by: ask).update(id ?? "", set: record, ifVersion: ask.version), generation)
        case .delete:
            guard let id else { return try await sweep(ask, table) }
            return .row(try await narrowed(table, by: ask).delete(id, ifVersion: ask.version), generation)
        case .undelete:
            guard let id else { return try await restore(ask, table) }
            return .row(try await narrowed(table, by: ask).undelete(id, ifVersion: ask.version), generation)
        case .truncate:
            while true {
                let rows = try await table.list(top: Self.swept)
                for row in rows { if let id = row.id { _ = try await table.delete(id) } }
                if rows.count < Self.swept { return .row(nil, generation) }
            }
        }
    }

    private func read(_ ask: AskedRows, _ table: TableRows) async throws(RowsError) -> ScriptReply {
        let includesDeleted = ask.query?.includesDeleted ?? false
        if let id = ask.rowID {
            return .row(try await narrowed(table, by: ask).find(id, includeDeleted: includesDeleted), generation)
        }
        let page = try await page(ask, table, includesDeleted: includesDeleted)
        return .rows(page.rows, count: page.count, generation)
    }

    /// Returns the rows of a query; none if it names a column that doesn't exist yet but may be added by a write.
    private func page(
        _ ask: AskedRows, _ table: TableRows, includesDeleted: Bool
    ) async throws(RowsError) -> (rows: [Record], count: Int64?) {
        let query = ask.query
        let wantsCount = query?.wantsCount ?? false
        do throws(RowsError) {
            return try await table.page(
                where: try condition(of: ask), orderBy: query?.order, skip: Int(clamping: query?.skip ?? 0),
                top: Int(clamping: min(query?.top ?? 1_000, AskedQuery.maximumLimit)),
                select: query?.select, includeDeleted: includesDeleted, wantsCount: wantsCount)
        } catch {
            guard case .operation(let reason) = error, table.isAboutColumnToBe(reason) else { throw error }
            return ([], wantsCount ? 0 : nil)
        }
    }

    /// Deletes the rows that satisfy a query, each by a statement that repeats the conditions.
    private func sweep(_ ask: AskedRows, _ table: TableRows) async throws(RowsError) -> ScriptReply {
        let narrowed = try narrowed(table, by: ask)
        // A limited query means these rows, not those that come next.
        let isBounded = ask.query?.top != nil || (ask.query?.skip ?? 0) > 0
        var gone: [Record] = []
        while true {
            let rows = try await page(ask, table, includesDeleted: false).rows
            try Self.check(rows, have: ask.version)
            let before = gone.count
            for row in rows {
                guard let id = row.id else { continue }
                do throws(RowsError) {
                    gone.append(try await narrowed.delete(id, ifVersion: ask.version))
                } catch .noRow {
                    // Another write came between, and the row no longer satisfies the conditions.
                }
            }
            if isBounded || rows.count < Self.swept || gone.count == before { break }
        }
        guard !gone.isEmpty else { throw .noRow }
        return .rows(gone, count: nil, generation)
    }

    /// Undeletes the tombstones that satisfy a query.
    private func restore(_ ask: AskedRows, _ table: TableRows) async throws(RowsError) -> ScriptReply {
        let narrowed = try narrowed(table, by: ask)
        let rows = try await page(ask, table, includesDeleted: true).rows
            .filter { $0["deleted"] == .boolean(true) }
        try Self.check(rows, have: ask.version)
        var back: [Record] = []
        for row in rows {
            guard let id = row.id else { continue }
            do throws(RowsError) {
                back.append(try await narrowed.undelete(id, ifVersion: ask.version))
            } catch .noRow {
                // Another write came between, and the row no longer satisfies the conditions.
            }
        }
        guard !back.isEmpty else { throw .noRow }
        return .rows(back, count: nil, generation)
    }

    /// Throws if a row has another version than the required one, so that nothing is written.
    private static func check(_ rows: [Record], have version: String?) throws(RowsError) {
        guard let version else { return }
        let demand = Precondition(versionIn: version)
        let other = rows.first {
            !($0.version.flatMap { Version(wireText: $0) }.map { demand.holds(for: $0) } ?? false)
        }
        if let other { throw .conflict(other) }
    }

    /// Returns the table limited to the rows that satisfy a query's conditions.
    private func narrowed(_ table: TableRows, by ask: AskedRows) throws(RowsError) -> TableRows {
        try table.one(where: try condition(of: ask))
    }

    private func condition(of ask: AskedRows) throws(RowsError) -> String? {
        do throws(QueryError) {
            return try ask.query?.condition()
        } catch {
            throw .operation(.table(.query(error)))
        }
    }

    /// Removes the system columns, which scripts can't write.
    private static func strip(_ record: inout Record, keepsID: Bool) {
        for column in SystemColumn.allCases {
            record["__\(column.rawValue)"] = nil
            if column != .id || !keepsID { record[column.rawValue] = nil }
        }
    }

    private func failure(_ error: RowsError, of operation: AskedRows.Operation) -> AskFailure {
        switch error {
        case .noTable(let name): AskFailure(.store, 500, "The table '\(name)' does not exist.")
        // The Node SDK didn't distinguish a missing row from a changed one.
        case .noRow where generation == .v2: AskFailure(.unmatched, 404, "No records were updated")
        case .noRow: AskFailure(.missing, 404, "The item does not exist")
        case .conflict(let row) where operation == .insert:
            AskFailure(.duplicate, 409, "An item with the same id already exists", row: row, for: generation)
        case .conflict(let row):
            AskFailure(.conflict, 412, "No records were updated", row: row, for: generation)
        case .invalidID: AskFailure(.bad, 400, "a row can't have this id")
        case .operation(let error): AskFailure(error, for: generation)
        }
    }
}
