import JSONText
import Scalars
import Tables

/// What a row of a file says about the server's columns, each under any of its names: the plain one, unless it stands
/// beside one of Mobile Services (`__deleted`), that one, and the one of iOS's local store (`ms_deleted`).
struct SystemCells {
    private(set) var createdAt: Instant?
    private(set) var updatedAt: Instant?
    private(set) var version: Version?
    private(set) var isDeleted: Bool?
    /// The name under which each of them was found.
    private var names: [SystemColumn: String] = [:]
    /// Whether to leave out a version that doesn't fit here, as other databases have other versions.
    let isLenient: Bool

    init(lenient: Bool) {
        isLenient = lenient
    }

    /// Returns the system column that a cell of that name belongs to; nil for one of the table's own columns.
    static func column(named name: String, of table: Table) -> SystemColumn? {
        if let column = SystemColumn(named: name) ?? SystemColumn(formerly: name) { return column }
        // Names with two underscores are reserved in every generation; others may be the table's own columns.
        guard let column = SystemColumn(onDevices: name), Identifier(name).flatMap({ table.column($0) }) == nil else {
            return nil
        }
        return column
    }

    mutating func take(_ cell: TransferReader.Cell, as column: SystemColumn) throws(RowBuilder.Fault) {
        guard !cell.isNull else { return }
        switch column {
        case .id: return
        case .createdAt: createdAt = try agreed(createdAt, instant(cell), cell, column)
        case .updatedAt: updatedAt = try agreed(updatedAt, instant(cell), cell, column)
        case .version:
            guard let version = try version(cell) else { return }
            self.version = try agreed(self.version, version, cell, column)
        case .deleted: isDeleted = try agreed(isDeleted, boolean(cell), cell, column)
        }
        names[column] = cell.name
    }

    /// Two cells for one column must have the same value, since it is unknown which one is right.
    private func agreed<Value: Equatable>(
        _ known: Value?, _ value: Value, _ cell: TransferReader.Cell, _ column: SystemColumn
    ) throws(RowBuilder.Fault) -> Value {
        guard let known, known != value, let name = names[column] else { return value }
        throw RowBuilder.Fault(
            sentence:
                "`\(name)` and `\(cell.name)` are both the server's `\(column.rawValue)`, and say different things: "
                + "take one of them out of the file")
    }

    private func instant(_ cell: TransferReader.Cell) throws(RowBuilder.Fault) -> Instant {
        if let text = cell.text, let instant = Instant(foreign: text) { return instant }
        throw RowBuilder.Fault(sentence: "`\(cell.name)` has to be a date such as 2026-11-21T12:00:00.123Z")
    }

    private func version(_ cell: TransferReader.Cell) throws(RowBuilder.Fault) -> Version? {
        if let text = cell.text, let version = Version(wireText: text) ?? Version(foreign: text),
            version < ImportRow.highestVersion
        {
            return version
        }
        if isLenient { return nil }
        throw RowBuilder.Fault(sentence: "`\(cell.name)` has to be the base64 of eight bytes, as this server writes it")
    }

    private func boolean(_ cell: TransferReader.Cell) throws(RowBuilder.Fault) -> Bool {
        if let value = cell.boolean { return value }
        throw RowBuilder.Fault(sentence: "`\(cell.name)` has to be true or false")
    }
}

extension TransferReader.Cell {
    /// What the cell says of whether its row is deleted; nil if it is no answer to that.
    var boolean: Bool? {
        switch value {
        case .json(.boolean(let value)): return value
        case .json(.integer(0)): return false
        case .json(.integer(1)): return true
        case .text(let text?): return Bool(foreign: text)
        default: return nil
        }
    }

    fileprivate var isNull: Bool {
        switch value {
        case .json(.null), .text(nil), .text(""): true
        default: false
        }
    }

    /// The cell's text; nil for other values.
    fileprivate var text: String? {
        switch value {
        case .json(.string(let text)), .text(let text?): text
        default: nil
        }
    }
}
