import HTTPModel
import JSONText
import Scalars
import TableOperations
import Tables
import ZumoProtocol

/// What a script answers in place of its operation, in the form of the client's generation: rows keep their ETag, lists
/// their frame, and the server's columns the names by which the client knows them.
struct ScriptedResponse {
    let answer: ScriptedAnswer
    /// nil for that of a success.
    let status: HTTPStatus?
    let operation: Operation
    /// Whether one row was asked for.
    let isOfRow: Bool
    let form: any ScriptedForm
    /// The address of a row by its id.
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
            json.value(form.frame(.array(rows.map(named)), answer.count, answer.link))
            if form.linksByField, let link = answer.link { fields.append("Link", link) }
        } else {
            json.value(isSuccess ? named(body) : body)
        }
        fields.append("Content-Type", "application/json; charset=utf-8")
        if isSuccess {
            if form.name(.version) != nil, let version = Self.version(of: body) {
                fields.append("ETag", "\"\(version)\"")
            }
            if form.saysLastChange,
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
            // Whatever the script calls a version; a field takes no more than what is seen.
            if case .string(let text) = member.value, !text.isEmpty,
                text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") })
            {
                return text
            }
        }
        return nil
    }

    /// A row with the names of the client's generation; what has no id is no row, and stays as it is.
    private func named(_ value: JSONValue) -> JSONValue {
        guard case .object(let members) = value, members.contains(where: { $0.name == "id" }) else { return value }
        return .object(
            members.compactMap { member in
                let plain = member.name.hasPrefix("__") ? member.name.dropFirst(2) : Substring(member.name)
                guard let column = SystemColumn(named: plain), column != .id else { return member }
                return form.name(column).map { JSONMember($0, member.value) }
            })
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
protocol ScriptedForm {
    /// The name of one of the server's columns; nil if the client should not see it.
    func name(_ column: SystemColumn) -> String?
    /// Whether an answer with a row says when it was last changed.
    var saysLastChange: Bool { get }
    /// What successes say to caches.
    var caching: HTTPFields { get }
    /// A list with its count.
    func frame(_ rows: JSONValue, _ count: Int64?, _ link: String?) -> JSONValue
    /// Whether a list's link is a header field.
    var linksByField: Bool { get }
}

/// As in v2, and in v1 except for the names.
struct ScriptedRows: ScriptedForm {
    var saysLastChange: Bool { false }
    var caching: HTTPFields { RowResponse.checked }
    var linksByField: Bool { true }
    /// The server's columns that a v1 client asked for; nil in v2, which has all.
    var asked: SystemProperties?
    func name(_ column: SystemColumn) -> String? {
        guard let asked else { return column.rawValue }
        guard let property = SystemProperties(column), asked.contains(property) else { return nil }
        return "__\(column.rawValue)"
    }

    func frame(_ rows: JSONValue, _ count: Int64?, _ link: String?) -> JSONValue {
        guard let count else { return rows }
        return .object([JSONMember("results", rows), JSONMember("count", .integer(count))])
    }
}

/// As v3 has it.
struct ScriptedItems: ScriptedForm {
    var saysLastChange: Bool { true }
    var caching: HTTPFields { RowResponse.unkept }
    var linksByField: Bool { false }

    func name(_ column: SystemColumn) -> String? { column.rawValue }

    func frame(_ rows: JSONValue, _ count: Int64?, _ link: String?) -> JSONValue {
        .object([
            JSONMember("items", rows), JSONMember("count", count.map { .integer($0) } ?? .null),
            JSONMember("nextLink", link.map { .string($0) } ?? .null),
        ])
    }
}
