import Foundation
import HTTPModel
import JSONText
import Tables

/// Whether a second user learns anything of a first one's rows: the first writes rows by the server's own operations, and
/// the second asks for each in every way that there is, and for one that isn't there.
struct Attack: Sendable {
    /// What was seen of one table.
    struct Report: Sendable {
        let table: String
        /// How many requests were compared; nil where nothing could be tried.
        var requests: Int?
        /// Why nothing was tried.
        var reason = ""
        /// What the second user learned, a sentence each.
        var findings: [String] = []

        /// The same for whoever asked for it.
        var lines: [String] {
            let found = findings.map { "attack \(table): \($0)" }
            guard let requests else { return ["attack \(table): not tried: \(reason)"] + found }
            let sum = findings.isEmpty ? "nothing learned of another user's rows" : "\(findings.count) findings"
            return ["attack \(table): \(requests) requests, \(sum)"] + found
        }
    }

    /// The fields by which the server knows each user.
    let first: [String: String]
    let second: [String: String]
    /// The first user's id, for columns that say whose a row is.
    let firstID: String
    let send: @Sendable (AttackRequest) async throws -> AttackAnswer

    /// Tries one table.
    func run(on table: Table) async throws -> Report {
        var report = Report(table: table.name.text)
        do {
            try await run(on: table, &report)
        } catch is NoRow {
            report.requests = nil
            if report.reason.isEmpty { report.reason = "it takes no more rows of the first user" }
        }
        return report
    }

    private func run(on table: Table, _ report: inout Report) async throws {
        let row = try await writableRow(in: table, &report)
        let prey = try await self.prey(by: row, in: table)
        guard let own = try await sight(of: prey, by: first), own.body.contains(prey.secret) else {
            report.reason = "the first user does not see what was written"
            return
        }
        if let seen = try await sight(of: prey, by: second), seen.body.contains(prey.secret) {
            report.reason = "its rows are for all users to read"
            return
        }
        report.requests = 0
        for generation in AttackGeneration.allCases {
            for approach in Approach.all(in: generation) {
                try await make(approach, by: row, in: table, isDeleted: false, &report)
                if table.rules.softDelete { try await make(approach, by: row, in: table, isDeleted: true, &report) }
            }
        }
    }

    /// There is no row to ask for.
    private struct NoRow: Error {}

    /// Asks for a new row of the first user's, and for none.
    private func make(
        _ approach: Approach, by row: RowShape, in table: Table, isDeleted: Bool, _ report: inout Report
    ) async throws {
        let prey = try await self.prey(by: row, in: table)
        if isDeleted {
            let gone = AttackRequest(method: .delete, target: prey.path, fields: AttackGeneration.v2.fields)
            // Where nobody may delete there are no tombstones.
            guard try await answer(gone, by: first).status < 300 else { return }
        }
        let before = try await sight(of: prey, by: first)
        let nothing = Prey(
            table: prey.table, id: row.isNumbered ? "999999999" : Self.newID(), isNumbered: prey.isNumbered,
            column: prey.column, secret: prey.secret, version: prey.version)
        let missing = try await answer(approach.request(nothing), by: second)
        let found = try await answer(approach.request(prey), by: second)
        report.requests = (report.requests ?? 0) + 2
        let name = approach.name + (isDeleted ? " of a deleted row" : "")
        if found.body.contains(prey.secret) {
            report.findings.append("\(name) shows what another user's row holds: it answers \(found.status)")
        } else if !approach.tellsTaken, !row.isNumbered,
            found.comparable(without: prey.id) != missing.comparable(without: nothing.id)
        {
            report.findings.append(
                "\(name) tells whether another user's row is there: \(found.status) where it is, \(missing.status) where "
                    + "it isn't")
        }
        if try await sight(of: prey, by: first)?.body != before?.body {
            report.findings.append("\(name) changes another user's row: it answers \(found.status)")
        }
    }

    private func answer(_ request: AttackRequest, by user: [String: String]) async throws -> AttackAnswer {
        var request = request
        request.fields.merge(user) { $1 }
        return try await send(request)
    }

    /// The row as a user reads it, deleted or not; nil where they don't.
    private func sight(of prey: Prey, by user: [String: String]) async throws -> AttackAnswer? {
        let request = AttackRequest(
            method: .get, target: prey.path + "?__includeDeleted=true", fields: AttackGeneration.v2.fields)
        let answer = try await answer(request, by: user)
        return answer.status == 200 ? answer : nil
    }

    /// Has the first user write a row.
    private func prey(by row: RowShape, in table: Table) async throws -> Prey {
        guard let prey = try await written(row, in: table).prey else { throw NoRow() }
        return prey
    }
}

/// How a row has to look that a table takes.
struct RowShape: Sendable {
    let isNumbered: Bool
    /// The columns of text that hold the secret.
    let secrets: [String]
    /// All other members, as JSON.
    let others: [String: String]
}

extension Attack {
    static func newID() -> String { "attack-\(UUID().uuidString.lowercased())" }

    /// A row that the first user may write.
    private func writableRow(in table: Table, _ report: inout Report) async throws -> RowShape {
        var last = ""
        for shape in shapes(of: table) {
            let (prey, answer) = try await written(shape, in: table)
            if prey != nil { return shape }
            last = "\(answer.status) \(answer.body.prefix(200))"
        }
        report.reason = "no row of it could be written: an insert answers \(last)"
        throw NoRow()
    }

    /// Rows to try, the fullest first. A column that is called after somebody holds the user's own id.
    private func shapes(of table: Table) -> [RowShape] {
        let texts = table.columns.filter { $0.type == .string }.map(\.name.text)
        let owners = texts.filter { name in
            ["user", "owner", "author", "creat", "who"].contains { name.lowercased().contains($0) }
        }
        var secrets = texts.filter { !owners.contains($0) }
        if secrets.isEmpty, table.rules.dynamicSchema { secrets = ["text"] }
        let mine = Dictionary(uniqueKeysWithValues: owners.map { ($0, "\"\(firstID)\"") })
        var all: [String: String] = mine
        for column in table.columns {
            switch column.type {
            case .string: continue
            case .boolean: all[column.name.text] = "false"
            case .date: all[column.name.text] = "\"2020-01-01T00:00:00.000Z\""
            case .dateOnly: all[column.name.text] = "\"2020-01-01\""
            case .timeOnly: all[column.name.text] = "\"10:15:30.000\""
            default: all[column.name.text] = "7"
            }
        }
        let isNumbered = table.rules.autoIncrement
        return [(secrets, all), (secrets, mine), (secrets + owners, [:]), (Array(secrets.prefix(1)), [:])].map {
            RowShape(isNumbered: isNumbered, secrets: $0, others: $1)
        }
    }

    private func written(_ row: RowShape, in table: Table) async throws -> (prey: Prey?, answer: AttackAnswer) {
        let (id, secret) = (Self.newID(), "secret\(UUID().uuidString.lowercased().filter { $0 != "-" })")
        var members = row.others
        for name in row.secrets { members[name] = "\"\(secret)\"" }
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
        let prey = Prey(
            table: table.name.text, id: given, isNumbered: row.isNumbered, column: row.secrets.first, secret: secret,
            version: written["version"]?.textValue ?? "AAAAAAAAAAE=")
        return (prey, answer)
    }
}

extension AttackAnswer {
    /// All that tells one answer from another, but for what is another each time.
    fileprivate func comparable(without id: String) -> String {
        let varying = ["date", "x-request-id", "connection", "keep-alive"]
        let head = fields.filter { !varying.contains($0.name.lowercased()) }.map {
            "\($0.name.lowercased()): \($0.value)"
        }
        return ("\(status)\n" + head.sorted().joined(separator: "\n") + "\n\n" + body)
            .split(separator: id, omittingEmptySubsequences: false).joined(separator: "ID")
    }
}
