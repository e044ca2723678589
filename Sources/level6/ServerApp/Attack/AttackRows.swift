import Foundation
import HTTPModel
import JSONText
import Tables

/// The form of a row that a table accepts.
struct RowShape: Sendable {
    let isNumbered: Bool
    /// The columns with the secret: text columns, or numeric ones if the table has no text column.
    let secrets: [String]
    let isOfNumbers: Bool
    /// The columns that may name the row's owner, with the first user's id as JSON.
    let owner: [String: String]
    /// All other members, as JSON.
    let others: [String: String]
}

extension TargetRow {
    /// A row that doesn't exist.
    static func missing(in table: Table, by row: RowShape) -> TargetRow {
        TargetRow(
            table: table.name.text, id: row.isNumbered ? "999999999" : Attack.newID(), isNumbered: row.isNumbered,
            column: row.secrets[0], isOfNumbers: row.isOfNumbers, secret: Attack.newSecret(row.isOfNumbers),
            owner: row.owner, version: "AAAAAAAAAAE=")
    }
}

// The rows that the first user writes.
extension Attack {
    /// The beginning of every secret that is text.
    static let mark = "secretofthefirst"

    static func newID() -> String { "attack-\(UUID().uuidString.lowercased())" }

    /// - Parameter isNumber: whether it has to be a number, which has nine digits so that it fits all numeric columns.
    static func newSecret(_ isNumber: Bool) -> String {
        if isNumber { return String(Int.random(in: 100_000_000...999_999_999)) }
        return mark + UUID().uuidString.lowercased().filter { $0 != "-" }
    }

    /// Writes a row as the first user.
    func targetRow(by row: RowShape, in table: Table) async throws -> TargetRow {
        guard let targetRow = try await written(row, in: table).targetRow else { throw NoRow() }
        return targetRow
    }

    /// Returns the form of a row that the first user may write.
    func writableRow(in table: Table, _ report: inout Report) async throws -> RowShape {
        var last = ""
        let shapes = shapes(of: table).filter { !$0.secrets.isEmpty }
        for shape in shapes {
            let (targetRow, answer) = try await written(shape, in: table)
            if targetRow != nil { return shape }
            last = "\(answer.status) \(answer.body.prefix(200))"
        }
        report.reason =
            shapes.isEmpty
            ? "it has no column of text or numbers by which to tell its rows"
            : "no row of it could be written: an insert answers \(last)"
        throw NoRow()
    }

    /// Returns the forms to try, the one with most columns first. A column named after a person has the user's id.
    private func shapes(of table: Table) -> [RowShape] {
        let texts = table.columns.filter { $0.type == .string }.map(\.name.text)
        let owners = texts.filter { name in
            ["user", "owner", "author", "creat", "who"].contains { name.lowercased().contains($0) }
        }
        var secrets = texts.filter { !owners.contains($0) }
        if secrets.isEmpty, table.rules.dynamicSchema { secrets = ["text"] }
        let isOfNumbers = secrets.isEmpty
        if isOfNumbers { secrets = table.columns.filter { [.number, .integer].contains($0.type) }.map(\.name.text) }
        let mine = Dictionary(uniqueKeysWithValues: owners.map { ($0, "\"\(firstID)\"") })
        var all: [String: String] = mine
        for column in table.columns where column.type != .string {
            all[column.name.text] = Self.example(of: column.type)
        }
        var shapes: [(secrets: [String], others: [String: String])] = [(secrets, all), (secrets, mine)]
        if !isOfNumbers { shapes.append((secrets + owners, [:])) }
        shapes.append((Array(secrets.prefix(1)), [:]))
        return shapes.map {
            RowShape(
                isNumbered: table.rules.autoIncrement, secrets: $0, isOfNumbers: isOfNumbers, owner: mine, others: $1)
        }
    }

    /// Returns a sample value as JSON.
    private static func example(of type: ColumnType) -> String {
        switch type {
        case .boolean: "false"
        case .date: "\"2020-01-01T00:00:00.000Z\""
        case .dateOnly: "\"2020-01-01\""
        case .timeOnly: "\"10:15:30.000\""
        default: "7"
        }
    }

    private func written(_ row: RowShape, in table: Table) async throws -> (
        targetRow: TargetRow?, answer: AttackResponse
    ) {
        let (id, secret) = (Self.newID(), Self.newSecret(row.isOfNumbers))
        var members = row.others
        for name in row.secrets { members[name] = row.isOfNumbers ? secret : "\"\(secret)\"" }
        if !row.isNumbered { members["id"] = "\"\(id)\"" }
        var fields = AttackGeneration.v2.fields
        fields["Content-Type"] = "application/json"
        fields["Idempotency-Key"] = "attack-\(id)"
        let body = members.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",")
        let answer = try await answer(
            AttackRequest(method: .post, target: "/tables/\(table.name)", fields: fields, body: "{\(body)}"), by: first)
        guard answer.status == 201, let written = try? JSONReader.parse(Array(answer.body.utf8)) else {
            return (nil, answer)
        }
        let given = written["id"]?.textValue ?? written["id"]?.integerValue.map { String($0) } ?? id
        let targetRow = TargetRow(
            table: table.name.text, id: given, isNumbered: row.isNumbered, column: row.secrets[0],
            isOfNumbers: row.isOfNumbers, secret: secret, owner: row.owner,
            version: written["version"]?.textValue ?? "AAAAAAAAAAE=")
        return (targetRow, answer)
    }
}

extension AttackResponse {
    /// Returns everything that distinguishes responses, without what differs every time.
    /// - Parameter id: the id of the requested row.
    func comparable(without id: String?) -> String {
        let varying = ["date", "x-request-id", "connection", "keep-alive"]
        let head = fields.filter { !varying.contains($0.name.lowercased()) }.map {
            "\($0.name.lowercased()): \($0.value)"
        }
        let whole = "\(status)\n" + head.sorted().joined(separator: "\n") + "\n\n" + body
        guard let id else { return whole }
        return whole.split(separator: id, omittingEmptySubsequences: false).joined(separator: "ID")
    }
}
