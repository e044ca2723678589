import JSONText
import OData
import Scalars
import Tables

// The names by which scripts know columns. In Mobile Services the server's began with `__`, and the plain ones were the
// apps' own.
extension ScriptGeneration {
    /// The name that scripts have for a column.
    func name(ofColumn column: String) -> String {
        guard self == .v1 else { return column }
        if let system = SystemColumn(named: column), system != .id { return system.nameInServices }
        return OwnColumnName.nameInServices(of: column) ?? column
    }

    /// A sentence with the names that scripts have for the columns in it.
    func words(_ sentence: String) -> String { self == .v1 ? OwnColumnName.wordsInServices(sentence) : sentence }

    /// The column that scripts mean by a name. Those of the server's keep the names of Mobile Services, by which they
    /// are known everywhere.
    func column(ofName name: String) -> String {
        self == .v1 ? OwnColumnName.column(inServices: name) ?? name : name
    }

    /// A value that a script sets. In Mobile Services, a Date makes a column of dates where there is none, as a
    /// client's does (v1-67); it arrives as the one text that Dates have in JSON.
    func typed(_ set: Property) -> Property {
        guard self == .v1, case .text(let text) = set.value, Instant(text)?.wireText == text else { return set }
        return Property(set.name, set.value, impliedType: .date)
    }

    /// What a script answers, with the names of its rows' columns; what has no id is no row, and stays as it is.
    ///
    /// To clients of later generations a script may have written a row by their names. A plain one is the app's own
    /// only where the table has such a column, or the row also has the server's.
    /// - Parameter toServices: whether the answer is for a client of the first generation, to which plain names always
    ///   are.
    func columns(ofRows body: JSONValue, of table: Table, toServices: Bool) -> JSONValue {
        guard self == .v1 else { return body }
        func columns(ofRow row: JSONValue) -> JSONValue {
            guard case .object(let members) = row, members.contains(where: { $0.name == "id" }) else { return row }
            var renamed = members
            for (index, member) in members.enumerated() {
                guard let own = OwnColumnName.column(inServices: member.name) else { continue }
                let isOwn =
                    toServices || table.column(named: own) != nil || Self.hasServers(member.name, beside: members)
                if isOwn { renamed[index] = JSONMember(own, member.value) }
            }
            return .object(renamed)
        }
        switch body {
        case .array(let rows): return .array(rows.map(columns(ofRow:)))
        default: return columns(ofRow: body)
        }
    }

    /// Whether a row has `__createdAt` beside `createdAt`.
    private static func hasServers(_ name: String, beside members: [JSONMember]) -> Bool {
        guard let column = SystemColumn(named: name) else { return false }
        return members.contains { SystemColumn(formerly: $0.name) == column }
    }
}
