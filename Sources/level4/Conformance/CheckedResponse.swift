import CurlClient
import HTTPModel
import JSONText

/// An answer, and what may be expected of it.
struct CheckedResponse {
    let raw: CurlResponse
    /// Which exchange of the check it ends.
    let number: Int
    let context: CheckContext

    var status: Int { raw.status }
    var reason: String { raw.reason }
    var body: [UInt8] { raw.body }
    var isSuccess: Bool { (200...299).contains(status) }

    /// The value of the first field of that name in any case.
    subscript(_ name: String) -> String? {
        raw.fields.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    var json: JSONValue? { try? JSONReader.parse(raw.body, loneSurrogates: .replaced) }

    /// The body as a row; nil if it is not an object.
    var object: Row? {
        guard case .object(let members) = json else { return nil }
        return Row(members: members, dialect: context.dialect)
    }

    /// The tag's text if it is strong and quoted.
    var strongTag: String? {
        guard let tag = self["ETag"], tag.count >= 2, tag.hasPrefix("\""), tag.hasSuffix("\"") else { return nil }
        return String(tag.dropFirst().dropLast()).replacing("\\\"", with: "\"")
    }

    func expect(_ isSo: Bool, _ demand: String, came: @autoclosure () -> String?) throws(Verdict) {
        try context.expect(isSo, demand, came: came(), at: number)
    }

    /// - Parameter why: what the request was, if a reader could not see it at once.
    @discardableResult
    func expect(status wanted: Int..., for why: String = "") throws(Verdict) -> CheckedResponse {
        let codes = wanted.map { "\($0) \(HTTPStatus(rawValue: $0)?.reasonPhrase ?? "")" }.joined(separator: " or ")
        try expect(
            wanted.contains(status), "status \(codes)\(why.isEmpty ? "" : " for \(why)")",
            came: "status \(status) \(reason)")
        return self
    }

    /// The body as a row, which it has to be.
    func row() throws(Verdict) -> Row {
        guard let object, object.id != nil else {
            let text = String(decoding: body.prefix(200), as: UTF8.self)
            let came = body.isEmpty ? "an empty body" : "the body \(text)"
            throw .failed(expected: "a row in the body: a JSON object with an id", came: came, exchange: number)
        }
        return object
    }

    /// The body has to be that row.
    func expect(row wanted: Row, _ demand: String) throws(Verdict) {
        let carried = try row()
        try expect(carried.says(wanted), demand, came: carried.json)
    }

    func expectTag(of row: Row) throws(Verdict) {
        let version = row[context.dialect.version]?.textValue
        try expect(
            version != nil && strongTag == version, "a strong quoted ETag that is the row's version",
            came: "the ETag \(self["ETag"] ?? "(none)") beside the version \(version ?? "(none)")")
    }

    /// The body as a list of this generation.
    func listing() throws(Verdict) -> ListResponse {
        try expect(status: 200, for: "the list")
        let items: [JSONValue]
        var count: JSONValue?
        var nextLink: JSONValue?
        switch (json, context.generation) {
        case (.array(let rows), .v1), (.array(let rows), .v2): items = rows
        case (.object(let members), let generation):
            let name = generation == .v3 ? "items" : "results"
            guard case .array(let rows) = members.last(where: { $0.name == name })?.value else { throw noList }
            items = rows
            count = members.last { $0.name == "count" }?.value
            nextLink = members.last { $0.name == "nextLink" }?.value
        default: throw noList
        }
        var rows: [Row] = []
        for item in items {
            guard case .object(let members) = item else { throw noList }
            rows.append(Row(members: members, dialect: context.dialect))
        }
        return ListResponse(rows: rows, count: count, nextLink: nextLink, answer: self)
    }

    private var noList: Verdict {
        let wanted =
            context.generation == .v3
            ? #"a list: {"items": [rows], …}"# : #"a list: [rows], or {"results": [rows], "count": number}"#
        return .failed(
            expected: wanted, came: "the body \(String(decoding: body.prefix(200), as: UTF8.self))", exchange: number)
    }
}

/// A row as it was answered.
struct Row {
    let members: [JSONMember]
    let dialect: Dialect

    subscript(_ name: String) -> JSONValue? { members.last { $0.name == name }?.value }

    /// The id; a numbered row's in its digits.
    var id: String? {
        switch self["id"] {
        case .string(let text): text
        case .integer(let number): String(number)
        default: nil
        }
    }

    var version: String? { self[dialect.version]?.textValue }
    var updatedAt: String? { self[dialect.updatedAt]?.textValue }
    var createdAt: String? { self[dialect.createdAt]?.textValue }
    var isDeleted: Bool { self[dialect.deleted] == .boolean(true) }

    var json: String { JSONValue.object(members).json }

    /// Whether the other has the same members with the same values.
    func says(_ other: Row) -> Bool { JSONValue.object(members).says(.object(other.members)) }
}
