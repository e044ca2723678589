import ByteText
import HTTPModel
import JSONText
import OData
import Scalars
import TableOperations
import Tables
import ZumoProtocol

/// What a script answers instead of its operation, in the form of the client's generation: rows keep their ETag, lists
/// their frame, and system columns the names by which the client knows them.
struct ScriptedResponse {
    let answer: ScriptedAnswer
    /// nil for the status of a success.
    let status: HTTPStatus?
    let operation: Operation
    /// Whether a single row was requested.
    let isOfRow: Bool
    let form: ScriptedForm
    /// Returns the address of a row by its id.
    let location: (String) -> String

    var http: HTTPResponse {
        var fields = HTTPFields()
        let status = self.status ?? (operation == .insert ? .created : .ok)
        guard let body = answer.body else {
            fields.append(contentsOf: form.caching)
            return HTTPResponse(self.status ?? .noContent, fields: fields)
        }
        var json = JSONWriter()
        let isSuccess = status.rawValue < 300 || answer.isInTheWay
        if isSuccess, operation == .read, !isOfRow, case .array(let rows) = body {
            form.frame(answer.count, answer.link, to: &json) { write(rows, to: &$0) }
            if !form.isItems, let link = answer.link { fields.append("Link", link) }
        } else if isSuccess {
            var names = ScriptedNames(form)
            write(body, names: &names, to: &json)
        } else {
            json.value(body)
        }
        fields.append("Content-Type", "application/json; charset=utf-8")
        if isSuccess {
            if form.name(.version) != nil, let version = Self.version(of: body) {
                fields.append("ETag", "\"\(version)\"")
            }
            if form.isItems,
                let date = (body["updatedAt"] ?? body["__updatedAt"])?.textValue.flatMap({ Instant($0) })
            {
                fields.append("Last-Modified", HTTPDate.text(secondsSinceEpoch: date.secondsRoundedDown))
            }
            let id = body["id"]?.textValue ?? body["id"]?.integerValue.map { String($0) }
            if operation == .insert, !answer.isInTheWay, let id {
                fields.append("Location", location(id))
            }
            fields.append(contentsOf: form.caching)
        }
        var response = HTTPResponse(status, fields: fields, body: json.bytes)
        if !isSuccess { response.reason = "the table's script answered so" }
        return response
    }

    private static func version(of body: JSONValue) -> String? {
        guard case .object(let members) = body else { return nil }
        for member in members where member.name == "version" || member.name == "__version" {
            // The script may call anything a version, but a field accepts only visible characters.
            if case .string(let text) = member.value, !text.isEmpty,
                text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") })
            {
                return text
            }
        }
        return nil
    }

    private func write(_ rows: [JSONValue], to json: inout JSONWriter) {
        var names = ScriptedNames(form)
        json.raw("[")
        for (index, row) in rows.enumerated() {
            if index > 0 { json.raw(",") }
            write(row, names: &names, to: &json)
        }
        json.raw("]")
    }

    /// Writes a row with the names of the client's generation. An object without an id is no row and stays as it is.
    private func write(_ value: JSONValue, names: inout ScriptedNames, to json: inout JSONWriter) {
        guard case .object(let members) = value, members.contains(where: { $0.name == "id" }) else {
            return json.value(value)
        }
        var isFirst = true
        json.raw("{")
        for (place, member) in members.enumerated() {
            guard let name = names.name(for: member.name, at: place) else { continue }
            if !isFirst { json.raw(",") }
            isFirst = false
            json.string(name)
            json.raw(":")
            json.value(member.value)
        }
        json.raw("}")
    }
}

/// The names of a script's rows as a client knows them. Rows of one page usually have the same names in the same
/// places, and each of these is looked up once.
private struct ScriptedNames {
    private let form: ScriptedForm
    private var known: [(name: String, given: String?)] = []

    init(_ form: ScriptedForm) { self.form = form }

    /// - Returns: nil for a member that the client should not see.
    mutating func name(for name: String, at place: Int) -> String? {
        if place < known.count, known[place].name.isExactly(name) { return known[place].given }
        let plain = name.hasPrefix("__") ? name.dropFirst(2) : Substring(name)
        var given: String?
        if let column = SystemColumn(named: plain), column != .id {
            given = form.name(column)
        } else {
            given = form.name(ofOwn: name)
        }
        if place < known.count {
            known[place] = (name, given)
        } else if place == known.count {
            known.append((name, given))
        }
        return given
    }
}

extension ScriptedAnswer {
    /// The page that the script changed, without its rows; nil if it read none.
    var page: Page<RowJSON>? {
        guard case .array? = body, let end else { return nil }
        return Page(
            rows: .list(wrapped: false), rowCount: end.rowCount, hasMore: end.hasMore, totalCount: count,
            cursor: end.cursor)
    }
}

/// How a generation frames what a script answers.
enum ScriptedForm {
    /// As in v2.
    case rows
    /// As in v1, with the system columns that the client asked for.
    case columns(SystemProperties)
    /// As in v3, where an answer with a row has its modification date, and a list's link is not in a field.
    case items

    var isItems: Bool {
        if case .items = self { true } else { false }
    }

    /// The fields that tell caches about successes.
    var caching: HTTPFields { isItems ? RowResponse.unkept : RowResponse.checked }

    /// Returns the name of a system column; nil if the client should not see it.
    func name(_ column: SystemColumn) -> String? {
        guard case .columns(let asked) = self else { return column.rawValue }
        return SystemProperties(column).map(asked.contains) == true ? column.nameInServices : nil
    }

    /// The name of one of the table's own columns.
    func name(ofOwn column: String) -> String {
        if case .columns = self { OwnColumnName.nameInServices(of: column) ?? column } else { column }
    }

    /// Writes a list with its count.
    func frame(_ count: Int64?, _ link: String?, to json: inout JSONWriter, rows: (inout JSONWriter) -> Void) {
        if !isItems, count == nil { return rows(&json) }
        json.raw(isItems ? "{\"items\":" : "{\"results\":")
        rows(&json)
        json.raw(",\"count\":")
        json.value(count.map { .integer($0) } ?? .null)
        if isItems {
            json.raw(",\"nextLink\":")
            json.value(link.map { .string($0) } ?? .null)
        }
        json.raw("}")
    }
}
