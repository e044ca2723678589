import JSONText
import OData
import Tables

// The names by which scripts know columns. In Mobile Services the server's began with `__`, and the plain ones were the
// apps' own.
extension ScriptGeneration {
    /// The name that scripts have for a column.
    func name(ofColumn column: String) -> String {
        guard self == .v1 else { return column }
        if let system = SystemColumn(named: column), system != .id { return "__\(system.rawValue)" }
        return OwnColumnName.nameInServices(of: column) ?? column
    }

    /// The column that scripts mean by a name. Those of the server's keep the names of Mobile Services, by which they are
    /// known everywhere.
    func column(ofName name: String) -> String {
        self == .v1 ? OwnColumnName.column(inServices: name) ?? name : name
    }

    /// What a script answers, with the names of its rows' columns; what has no id is no row, and stays as it is.
    func columns(ofRows body: JSONValue) -> JSONValue {
        guard self == .v1 else { return body }
        switch body {
        case .array(let rows): return .array(rows.map(columns(ofRow:)))
        default: return columns(ofRow: body)
        }
    }

    private func columns(ofRow row: JSONValue) -> JSONValue {
        guard case .object(let members) = row, members.contains(where: { $0.name == "id" }),
            members.contains(where: { OwnColumnName.column(inServices: $0.name) != nil })
        else { return row }
        return .object(members.map { JSONMember(column(ofName: $0.name), $0.value) })
    }
}
