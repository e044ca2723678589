import JSONText
import OData
import Operating
import Scalars
import Tables

/// Builds a table's rows from what a file or another server contains.
struct RowBuilder {
    /// The table, including the columns added to it.
    private(set) var table: Table
    /// The added columns, which the database doesn't have yet.
    private(set) var newColumns: [Column]

    /// Why a row can't be imported, as the end of a sentence that begins with its position.
    struct Fault: Error {
        let sentence: String
    }

    /// Whether the rows have their columns by the names of this server: an export has, and so has a server of later
    /// generations.
    private let isNamedAsHere: Bool

    /// - Parameter newColumns: columns that the table should have, but doesn't yet.
    init(_ table: Table, adding newColumns: [Column] = [], namedAsHere isNamedAsHere: Bool = false) {
        self.table = table.adding(newColumns)
        self.newColumns = newColumns
        self.isNamedAsHere = isNamedAsHere
    }

    /// - Parameter lenient: whether the row is from a server. A version that doesn't fit here is then left out, since
    ///   other databases have other versions.
    mutating func row(_ cells: [TransferReader.Cell], lenient: Bool = false) throws(Fault) -> ImportRow {
        var id: RowID?
        var properties: [Property] = []
        properties.reserveCapacity(cells.count)
        var system = SystemCells(lenient: lenient)
        // Beside a column by a name of Mobile Services, the same name without `__` is the app's own.
        let isOfServices = !isNamedAsHere && cells.contains { SystemColumn(formerly: $0.name) != nil }
        var ownDeletion: String?
        for cell in cells {
            if isOfServices, let own = OwnColumnName.column(inServices: cell.name) {
                if SystemColumn(named: cell.name) == .deleted, cell.boolean == true { ownDeletion = cell.name }
                let cell = TransferReader.Cell(name: own, value: cell.value)
                properties.append(Property(own, try value(cell)))
                continue
            }
            switch SystemCells.column(named: cell.name, of: table) {
            case .id:
                let found = try rowID(cell)
                guard id == nil || found == nil || id == found else { throw Fault(sentence: "has two ids") }
                id = found ?? id
            case let column?: try system.take(cell, as: column)
            case nil: properties.append(Property(cell.name, try value(cell)))
            }
        }
        guard let id else { throw Fault(sentence: "has no id") }
        // It may well be the server's, and a deleted row would live again.
        if let name = ownDeletion, system.isDeleted != true {
            throw Fault(
                sentence:
                    "`\(name)` is true and `__deleted` is not: rename it to `__own_\(name)` if it is the app's own, and to "
                    + "`__deleted` if the row is deleted, or take it out of the file")
        }
        var row = ImportRow(
            id: id, createdAt: system.createdAt, updatedAt: system.updatedAt, version: system.version,
            isDeleted: system.isDeleted ?? false, assignments: [])
        // A server's row is complete: if it doesn't say that it is deleted, it isn't.
        row.saysWhetherDeleted = lenient || system.isDeleted != nil
        if let stamp = row.updatedAt, stamp >= ImportRow.latestStamp {
            throw Fault(sentence: "`updatedAt` is too far in the future: no later stamp would be left")
        }
        do throws(TableError) {
            let changes = try table.changes(from: properties, for: .insert)
            if !changes.newColumns.isEmpty {
                table = table.adding(changes.newColumns)
                newColumns += changes.newColumns
            }
            row.assignments = changes.assignments
        } catch {
            throw Fault(sentence: error.rowSentence)
        }
        if row.assignments.count < properties.count { try checkAgreement(of: properties) }
        return row
    }

    /// Two values for one column have to be the same, since it is unknown which one is right.
    private func checkAgreement(of properties: [Property]) throws(Fault) {
        var known: [Identifier: Property] = [:]
        for property in properties {
            guard let name = Identifier(property.name) else { continue }
            if let other = known[name], other.value != property.value {
                throw Fault(
                    sentence: "`\(other.name)` and `\(property.name)` are one column, and say different things: "
                        + "take one of them out of the file")
            }
            known[name] = property
        }
    }

    private func rowID(_ cell: TransferReader.Cell) throws(Fault) -> RowID? {
        switch (cell.value, table.rules.autoIncrement) {
        case (.json(.null), _), (.text(nil), _): return nil
        case (.json(.integer(let number)), true): return try rowID(number)
        case (.json(.string(let text)), false), (.text(let text?), false):
            guard !text.isEmpty else { return nil }
            guard text.unicodeScalars.count <= RowID.maximumLength else {
                throw Fault(sentence: "`id` is longer than \(RowID.maximumLength) characters")
            }
            return .text(text)
        case (.text(let text?), true):
            if let number = Int64(text) { return try rowID(number) }
        default: break
        }
        throw Fault(sentence: "`id` has to be \(table.rules.autoIncrement ? "a whole number" : "text") in this table")
    }

    private func rowID(_ number: Int64) throws(Fault) -> RowID {
        guard number <= RowID.highestNumber else {
            throw Fault(sentence: "`id` is beyond \(RowID.highestNumber): no numbers would be left for later rows")
        }
        return .integer(number)
    }

    private func value(_ cell: TransferReader.Cell) throws(Fault) -> Value {
        var type: ColumnType? { Identifier(cell.name).flatMap { table.column($0) }?.type }
        switch cell.value {
        case .json(.null), .text(nil): return .null
        case .json(.boolean(let value)): return .boolean(value)
        case .json(.integer(let value)): return .integer(value)
        case .json(.number(let value)): return .number(value)
        case .json(.precise(let text, let value)): return DecimalNumber(text).map(Value.decimal) ?? .number(value)
        case .json(.string(let text)): return Value(foreignDate: text, in: type) ?? .text(text)
        case .json(.array), .json(.object): throw Fault(sentence: "`\(cell.name)` is nested; a row's values are plain")
        case .text(let text?): return Value(foreign: text, in: type)
        }
    }
}
