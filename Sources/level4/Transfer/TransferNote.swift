import JSONText
import Scalars
import Tables

/// What an export says besides the rows: a table's beginning and its end.
enum TransferNote: Equatable {
    case table(TransferHeader)
    /// The number of the table's rows, by which a truncated file is noticed.
    case end(table: String, rows: Int)

    /// The note as JSON, on one line.
    var json: [UInt8] {
        var json = JSONWriter()
        switch self {
        case .table(let header): header.write(to: &json)
        case .end(let table, let rows):
            json.raw("{\"zumod\":\"end\",\"name\":")
            json.string(table)
            json.raw(",\"rows\":")
            json.integer(Int64(rows))
            json.raw("}")
        }
        return json.bytes
    }

    /// Reads a note.
    /// - Returns: nil if the members are not those of a note.
    init?(_ members: [JSONMember]) {
        guard members.first?.name == "zumod" else { return nil }
        let values = Dictionary(members.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
        switch (values["zumod"], values["name"], values["rows"]) {
        case (.string("table"), _, _):
            guard let header = TransferHeader(values) else { return nil }
            self = .table(header)
        case (.string("end"), .string(let name), .integer(let rows)):
            self = .end(table: name, rows: Int(rows))
        default:
            return nil
        }
    }
}

/// What an export says about a table, so that its copy becomes the same.
struct TransferHeader: Equatable {
    var name: Identifier
    var columns: [Column]
    var softDelete: Bool
    var hasIntegerIDs: Bool
    var marks: TransferMarks

    init(_ entry: SnapshotTable, version: Version) {
        name = entry.table.name
        columns = entry.table.columns
        softDelete = entry.table.rules.softDelete
        hasIntegerIDs = entry.table.rules.autoIncrement
        marks = TransferMarks(
            version: version, lastStamp: entry.lastStamp, purgedThrough: entry.purgedThrough,
            lastNumber: entry.lastNumber)
    }

    /// - Returns: nil if a member is missing or isn't one of these.
    init?(_ values: [String: JSONValue]) {
        guard case .string(let name) = values["name"], let name = Identifier(name),
            case .object(let columns) = values["columns"], case .boolean(let softDelete) = values["softDelete"],
            case .boolean(let hasIntegerIDs) = values["integerIds"]
        else { return nil }
        self.name = name
        self.softDelete = softDelete
        self.hasIntegerIDs = hasIntegerIDs
        self.columns = []
        for member in columns {
            guard let column = Identifier(member.name), SystemColumn(named: member.name) == nil,
                case .string(let type) = member.value, let type = ColumnType(rawValue: type)
            else { return nil }
            self.columns.append(Column(column, type))
        }
        marks = TransferMarks()
        if case .string(let text) = values["lastVersion"] {
            guard let version = Version(wireText: text), version < ImportRow.highestVersion else { return nil }
            marks.version = version
        }
        if case .integer(let number) = values["lastNumber"] {
            guard number <= RowID.highestNumber else { return nil }
            marks.lastNumber = number
        }
        for (key, path) in [("lastStamp", \TransferMarks.lastStamp), ("purgedThrough", \TransferMarks.purgedThrough)] {
            guard case .string(let text) = values[key] else { continue }
            guard let instant = Instant(text), instant < ImportRow.latestStamp else { return nil }
            marks[keyPath: path] = instant
        }
    }

    func write(to json: inout JSONWriter) {
        json.raw("{\"zumod\":\"table\",\"name\":")
        json.string(name.text)
        json.raw(",\"columns\":{")
        for (index, column) in columns.enumerated() {
            if index > 0 { json.raw(",") }
            json.string(column.name.text)
            json.raw(":")
            json.string(column.type.rawValue)
        }
        json.raw("},\"softDelete\":")
        json.boolean(softDelete)
        json.raw(",\"integerIds\":")
        json.boolean(hasIntegerIDs)
        if let version = marks.version {
            json.raw(",\"lastVersion\":")
            json.string(version.wireText)
        }
        if let stamp = marks.lastStamp {
            json.raw(",\"lastStamp\":")
            json.string(stamp.wireText)
        }
        if let fence = marks.purgedThrough {
            json.raw(",\"purgedThrough\":")
            json.string(fence.wireText)
        }
        if let number = marks.lastNumber {
            json.raw(",\"lastNumber\":")
            json.integer(number)
        }
        json.raw("}")
    }
}
