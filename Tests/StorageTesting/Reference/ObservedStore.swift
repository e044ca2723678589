import OData
import Scalars
import Tables

/// A store with a memory of the versions and stamps that it gave, so that steps can speak of them and answers compare.
struct ObservedStore {
    let store: any TableStore
    private var versions: [Version] = []
    private var stamps: [Identifier: [Instant]] = [:]
    /// Which write gave each version, and each table's stamp in its wire form.
    private var numbers: [Version: Int] = [:]
    private var stampNumbers: [Identifier: [String: Int]] = [:]
    private var currentVersions: [Identifier: [[UInt8]: Version]] = [:]
    /// What no store may do, in words.
    private(set) var faults: [String] = []

    init(_ store: any TableStore) {
        self.store = store
    }

    mutating func run(_ step: StoreStep) async throws -> StoreAnswer {
        guard let table = store.table(named: step.table) else { return StoreAnswer(outcome: "no table") }
        do throws(TableError) {
            return try await run(step.operation, in: table, step.scope)
        } catch {
            // The sentences are the stores' own; what went wrong, and where, is not.
            if case .query(let fault) = error, case .typeClash = fault.reason {
                return StoreAnswer(outcome: "a type clash in \(fault.option)")
            }
            if case .failed = error { return StoreAnswer(outcome: "failed") }
            return StoreAnswer(outcome: "\(error)")
        }
    }

    private mutating func run(
        _ operation: StoreOperation, in table: Table, _ scope: RowScope?
    ) async throws(TableError) -> StoreAnswer {
        let rows = RecordedRows()
        switch operation {
        case .insert(let id, let properties, let deleted):
            let result = try await store.insert(
                properties, id: id, deleted: deleted, scope: scope, in: table, into: rows)
            return answer(result, table)
        case .update(let id, let update, let condition):
            let precondition = precondition(condition, id, table)
            let result = try await store.update(
                id, update, if: precondition, scope: scope, in: table, into: rows)
            return answer(result, table, renews: !update.changesNothing(in: table))
        case .delete(let id, let condition):
            let precondition = precondition(condition, id, table)
            let result = try await store.delete(id, if: precondition, scope: scope, in: table, into: rows)
            return answer(result, table, renews: table.rules.softDelete)
        case .find(let id, let select, let includeDeleted):
            let found = try await store.find(
                id, in: table, select: names(select, of: table), includeDeleted: includeDeleted, scope: scope,
                into: rows)
            return StoreAnswer(outcome: found == nil ? "none" : "found", rows: found.map { cells($0, table) } ?? [])
        case .list(var query, let select):
            query.select = names(select, of: table)
            query.scope = scope
            query.filter = query.filter.map { translated($0, table) }
            let page = try await store.list(query, in: table, into: rows)
            if page.rowCount != page.rows.rows.count { faults.append("\(page.rowCount) rows counted") }
            let total = page.totalCount.map { " of \($0)" } ?? ""
            return StoreAnswer(outcome: "page\(total), more: \(page.hasMore)", rows: cells(page.rows, table))
        }
    }

    /// Notes what a write gave, and puts its answer in comparable words.
    private mutating func answer(
        _ result: WriteResult<RecordedRows>, _ table: Table, renews: Bool = true
    ) -> StoreAnswer {
        faults += result.row.faults
        if result.outcome == .written, renews, let version = result.row.version, let stamp = result.row.updatedAt {
            if let last = versions.last, version <= last { faults.append("version \(version) after \(last)") }
            if let last = stamps[table.name]?.last, stamp <= last { faults.append("stamp \(stamp) after \(last)") }
            numbers[version] = versions.count
            stampNumbers[table.name, default: [:]][stamp.wireText] = stamps[table.name]?.count ?? 0
            versions.append(version)
            stamps[table.name, default: []].append(stamp)
            if let id = result.row.row["id"] { currentVersions[table.name, default: [:]][Self.key("\(id)")] = version }
        }
        return StoreAnswer(outcome: "\(result.outcome)", rows: cells(result.row, table))
    }

    /// The selected columns that the table has; all where it has none of them, since nobody can select nothing.
    private func names(_ names: [String]?, of table: Table) -> [SelectedName]? {
        let known = names?.filter { table.field(named: $0) != nil } ?? []
        return known.isEmpty ? nil : known.map { SelectedName($0, at: 0) }
    }

    private static func key(_ id: String) -> [UInt8] { Array(id.utf8) }

    private func precondition(_ condition: StoreOperation.Condition, _ id: RowID, _ table: Table) -> Precondition {
        switch condition {
        case .none: .none
        case .unmatchable: .unmatchable
        case .ofWrite(let number): versions.isEmpty ? .unmatchable : .version(versions[number % versions.count])
        case .current: currentVersions[table.name]?[Self.key("\(id)")].map(Precondition.version) ?? .unmatchable
        }
    }

    /// Each row's cells in words, with the names of the columns before them.
    private func cells(_ rows: RecordedRows, _ table: Table) -> [[String]] {
        let stampNumbers = stampNumbers[table.name] ?? [:]
        return [rows.names]
            + rows.rows.map { row in
                rows.names.map { name in
                    switch (row[name], SystemColumn(named: name)) {
                    case (.version(let version), _): "version \(numbers[version] ?? -1)"
                    case (.text(let text), .createdAt), (.text(let text), .updatedAt):
                        "stamp \(stampNumbers[text] ?? -1)"
                    case (let cell?, _): "\(cell)"
                    case (nil, _): "no cell"
                    }
                }
            }
    }

    /// A filter with this store's own stamps and versions in the place of the numbers of writes.
    private func translated(_ filter: Expression, _ table: Table) -> Expression {
        let stamps = stamps[table.name] ?? []
        return filter.replacingLiterals { literal in
            switch literal {
            case .date(let date) where date.milliseconds >= Self.firstMark:
                stamps.isEmpty ? literal : .date(stamps[Int(date.milliseconds - Self.firstMark) % stamps.count])
            case .text(let text) where text.hasPrefix(Self.versionMark):
                versions.isEmpty
                    ? literal
                    : .text(versions[(Int(text.dropFirst(Self.versionMark.count)) ?? 0) % versions.count].wireText)
            default: literal
            }
        }
    }

    private static let firstMark: Int64 = 400_000_000_000_000
    private static let versionMark = "version of write "

    /// Stands for the stamp of a write, counted around the writes of the table.
    static func stampMark(_ number: Int) -> Literal {
        .date(Instant(milliseconds: firstMark + Int64(number)))
    }

    /// Stands for the version of a write, counted around all writes.
    static func versionMark(_ number: Int) -> Literal {
        .text("\(versionMark)\(number)")
    }
}
