import Scalars
import Tables

/// A row as the reference store keeps it.
struct ReferenceRow {
    let id: RowID
    let createdAt: Instant
    var updatedAt: Instant
    var version: Version
    var isDeleted = false
    var values: [Identifier: Value] = [:]

    func value(of field: Field) -> Value {
        switch field {
        case .system(.id):
            switch id {
            case .text(let text): .text(text)
            case .integer(let number): .integer(number)
            }
        case .system(.createdAt): .date(createdAt)
        case .system(.updatedAt): .date(updatedAt)
        case .system(.version): .integer(version.counter)
        case .system(.deleted): .boolean(isDeleted)
        case .own(let column): values[column.name] ?? .null
        }
    }

    /// Hands the row's cells to a visitor that has begun.
    func visit<Visitor: RowVisitor>(_ fields: [Field], into visitor: inout Visitor) {
        visitor.beginRow()
        for field in fields {
            switch value(of: field) {
            case .null: visitor.null()
            case .boolean(let truth): visitor.boolean(truth)
            case .integer(let whole) where field == .system(.version): visitor.version(Version(counter: whole))
            case .integer(let whole): visitor.integer(whole)
            case .number(let number): visitor.number(number)
            case .decimal(let number): visitor.decimal(Array(number.text.utf8).span)
            case .text(let text): visitor.text(Array(text.utf8).span)
            case .date(let instant): visitor.text(Array(instant.wireText.utf8).span)
            }
        }
        visitor.endRow()
    }
}

/// A table with its rows.
struct ReferenceTable {
    var table: Table
    /// By the exact bytes of the ids: Swift's own comparison takes the two spellings of é for the same.
    private var rows: [[UInt8]: ReferenceRow] = [:]
    private var lastStamp = Instant(milliseconds: 0)
    private var lastID: Int64 = 0

    /// Whether a client made it.
    let isClients: Bool
    private let declared: Int
    static let limits = ClientLimits()

    init(_ definition: TableDefinition, isClients: Bool = false) {
        self.isClients = isClients
        declared = definition.columns.count
        table = Table(name: definition.name, columns: definition.columns, rules: definition.rules)
    }

    func rows(in scope: RowScope?) -> [ReferenceRow] {
        rows.values.filter { scope?.holds($0, of: table) ?? true }
    }

    /// In an order that is the same in every run.
    var ids: [RowID] {
        rows.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.value.id)
    }

    func row(_ id: RowID, in scope: RowScope? = nil) -> ReferenceRow? {
        guard let row = rows[Self.key(id)], scope?.holds(row, of: table) ?? true else { return nil }
        return row
    }

    static func key(_ id: RowID) -> [UInt8] {
        switch id {
        case .text(let text): [0] + text.utf8
        case .integer(let number): [1] + String(number).utf8
        }
    }

    /// What refuses a write of a row, with the row; nil where nothing does.
    func refusal(
        of id: RowID, if precondition: Precondition, scope: RowScope?, allowsTombstone: Bool = false
    ) throws(TableError) -> (WriteOutcome, ReferenceRow?)? {
        guard let row = row(id, in: scope) else { return (.missing, nil) }
        guard scope?.allowsWriting(row, of: table) ?? true else { throw .outsideScope }
        if row.isDeleted, !allowsTombstone { return (.tombstone, row) }
        return precondition.holds(for: row.version) ? nil : (.mismatch, row)
    }

    /// Refuses more columns than clients may add.
    func check(_ changes: RowChanges) throws(TableError) {
        let count = table.columns.count - declared + changes.newColumns.count
        guard changes.newColumns.isEmpty || count <= Self.limits.columns else {
            throw .tooManyClientColumns(limit: Self.limits.columns)
        }
    }

    mutating func insert(
        _ id: RowID?, _ changes: RowChanges, deleted: Bool, version: Version, now: Instant
    ) -> ReferenceRow {
        let id = id ?? .integer(lastID + 1)
        if case .integer(let number) = id { lastID = max(lastID, number) }
        lastStamp = Stamp.next(after: lastStamp, now: now)
        var row = ReferenceRow(id: id, createdAt: lastStamp, updatedAt: lastStamp, version: version)
        row.isDeleted = deleted && table.rules.softDelete
        apply(changes, to: &row)
        rows[Self.key(id)] = row
        return row
    }

    mutating func renew(
        _ id: RowID, version: Version, now: Instant, _ change: (inout ReferenceTable, inout ReferenceRow) -> Void
    ) -> ReferenceRow? {
        guard var row = row(id) else { return nil }
        lastStamp = Stamp.next(after: lastStamp, now: now)
        row.updatedAt = lastStamp
        row.version = version
        change(&self, &row)
        rows[Self.key(id)] = row
        return row
    }

    mutating func apply(_ changes: RowChanges, to row: inout ReferenceRow) {
        if !changes.newColumns.isEmpty { table = table.adding(changes.newColumns) }
        for assignment in changes.assignments { row.values[assignment.column.name] = assignment.value }
    }

    mutating func remove(_ id: RowID) -> ReferenceRow? {
        rows.removeValue(forKey: Self.key(id))
    }
}
