import JSONText
import Scalars
import Tables

/// What an export says besides rows: the start and the end of each table, and users.
enum TransferNote: Equatable {
    case table(TransferHeader)
    /// The number of the table's rows, by which truncated files are detected.
    case end(table: String, rows: Int)
    /// A user of the server's own login.
    case user(UserRecord)
    /// A user who was removed.
    case formerUser(FormerUser)
    /// The number of all users, by which truncated files are detected.
    case usersEnd(Int)

    /// The note as JSON, on one line.
    var json: [UInt8] {
        var json = JSONWriter()
        switch self {
        case .table(let header): json.value(header.json)
        case .end(let table, let rows):
            json.value(["zumod": "end", "name": .string(table), "rows": .integer(Int64(rows))])
        case .user(let user): json.value(user.note)
        case .formerUser(let user): json.value(user.note)
        case .usersEnd(let count): json.value(["zumod": "usersEnd", "users": .integer(Int64(count))])
        }
        return json.bytes
    }

    /// Parses a note.
    /// - Returns: nil if the members don't form a note.
    init?(_ members: [JSONMember]) {
        guard members.first?.name == "zumod" else { return nil }
        let values = Dictionary(members.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
        switch (values["zumod"], values["name"], values["rows"]) {
        case (.string("table"), _, _):
            guard let header = TransferHeader(values) else { return nil }
            self = .table(header)
        case (.string("end"), .string(let name), .integer(let rows)):
            self = .end(table: name, rows: Int(rows))
        case (.string("user"), _, _):
            guard let user = UserRecord(values) else { return nil }
            self = .user(user)
        case (.string("formerUser"), _, _):
            guard let user = FormerUser(values) else { return nil }
            self = .formerUser(user)
        case (.string("usersEnd"), _, _):
            guard case .integer(let count) = values["users"] else { return nil }
            self = .usersEnd(Int(count))
        default:
            return nil
        }
    }
}

/// What an export says about a table, so that it can be recreated in the same way.
struct TransferHeader: Equatable {
    var name: Identifier
    var columns: [Column]
    var softDelete: Bool
    var hasIntegerIDs: Bool
    var marks: TransferMarks

    init(_ entry: SnapshotTable) {
        name = entry.table.name
        columns = entry.table.columns
        softDelete = entry.table.rules.softDelete
        hasIntegerIDs = entry.table.rules.autoIncrement
        marks = entry.marks
    }

    /// - Returns: nil if a member is missing or invalid.
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

    var json: JSONValue {
        let columns = columns.map { JSONMember($0.name.text, .string($0.type.rawValue)) }
        let marks: [(name: String, value: JSONValue?)] = [
            ("lastVersion", marks.version.map { .string($0.wireText) }),
            ("lastStamp", marks.lastStamp.map { .string($0.wireText) }),
            ("purgedThrough", marks.purgedThrough.map { .string($0.wireText) }),
            ("lastNumber", marks.lastNumber.map { .integer($0) }),
        ]
        return .object(
            [
                JSONMember("zumod", "table"), JSONMember("name", .string(name.text)),
                JSONMember("columns", .object(columns)), JSONMember("softDelete", .boolean(softDelete)),
                JSONMember("integerIds", .boolean(hasIntegerIDs)),
            ] + marks.compactMap { name, value in value.map { JSONMember(name, $0) } })
    }
}
