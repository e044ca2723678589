import HTTPModel
import Tables

/// Tests whether a second user can learn anything about a first user's rows: the first writes rows by regular requests,
/// and the second requests each of them, and one that doesn't exist, in every possible way.
struct Attack: Sendable {
    /// The result for one table.
    struct Report: Sendable {
        let table: String
        /// The number of requests compared; nil if the table could not be tested.
        var requests: Int?
        /// Why it could not be tested.
        var reason = ""
        /// What the second user learned, one sentence each.
        var findings: [String] = []

        /// The report as lines of text.
        var lines: [String] {
            let found = findings.map { "attack \(table): \($0)" }
            guard let requests else { return ["attack \(table): not tried: \(reason)"] + found }
            let sum = findings.isEmpty ? "nothing learned of another user's rows" : "\(findings.count) findings"
            return ["attack \(table): \(requests) requests, \(sum)"] + found
        }
    }

    /// The header fields that identify each user.
    let first: [String: String]
    let second: [String: String]
    /// The header fields of a caller without a token, who is tested in addition to the second user.
    var stranger: [String: String] = [:]
    /// The first user's id, for columns that say who owns a row.
    let firstID: String
    let send: @Sendable (AttackRequest) async throws -> AttackResponse

    /// Tests one table.
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
        let targetRow = try await self.targetRow(by: row, in: table)
        guard let own = try await sight(of: targetRow, by: first), own.body.contains(targetRow.secret) else {
            report.reason = "the first user does not see what was written"
            return
        }
        if try await isOpen(targetRow) {
            report.reason = "its rows are for all users to read"
            return
        }
        report.requests = 0
        for generation in AttackGeneration.allCases {
            for vector in AttackVector.all(in: generation) {
                for isStranger in [false, true] {
                    let trial = Trial(vector: vector, isStranger: isStranger)
                    try await make(trial, by: row, in: table, isDeleted: false, &report)
                    if table.rules.softDelete { try await make(trial, by: row, in: table, isDeleted: true, &report) }
                }
            }
        }
    }

    /// Whether the table shows its rows to all users: in lists and individually.
    private func isOpen(_ targetRow: TargetRow) async throws -> Bool {
        let order = "$orderby=createdAt%20desc&$top=5"
        for target in [targetRow.path, "/tables/\(targetRow.table)?\(order)"] {
            let request = AttackRequest(method: .get, target: target, fields: AttackGeneration.v2.fields)
            guard try await answer(request, by: second).body.contains(targetRow.secret) else { return false }
        }
        return true
    }

    /// An attack vector and who uses it.
    private struct Trial {
        let vector: AttackVector
        let isStranger: Bool
    }

    /// There is no row to request.
    struct NoRow: Error {}

    /// Requests a new row of the first user, and one that doesn't exist.
    private func make(
        _ trial: Trial, by row: RowShape, in table: Table, isDeleted: Bool, _ report: inout Report
    ) async throws {
        let vector = trial.vector
        let asker = trial.isStranger ? stranger : second
        let nothing = TargetRow.missing(in: table, by: row)
        let missing = try await answer(vector.request(nothing), by: asker)
        // A caller without a token is not let in at all.
        if trial.isStranger, missing.status == 401 { return }
        let targetRow = try await self.targetRow(by: row, in: table)
        if isDeleted {
            let gone = AttackRequest(method: .delete, target: targetRow.path, fields: AttackGeneration.v2.fields)
            // If deletes aren't allowed, there are no tombstones.
            guard try await answer(gone, by: first).status < 300 else { return }
        }
        let before = try await sight(of: targetRow, by: first)
        let found = try await answer(vector.request(targetRow), by: asker)
        report.requests = (report.requests ?? 0) + 2
        let name = vector.name + (trial.isStranger ? " without a token" : "") + (isDeleted ? " of a deleted row" : "")
        if found.body.contains(targetRow.secret) || vector.isOfAll && found.body.contains(Self.mark) {
            report.findings.append("\(name) shows what another user's row holds: it answers \(found.status)")
        } else if !vector.tellsTaken, vector.isOfAll || !row.isNumbered,
            found.comparable(without: vector.isOfAll ? nil : targetRow.id)
                != missing.comparable(without: vector.isOfAll ? nil : nothing.id)
        {
            report.findings.append(
                "\(name) tells whether another user's row is there: \(found.status) where it is, \(missing.status) where "
                    + "it isn't")
        }
        if try await sight(of: targetRow, by: first)?.body != before?.body {
            report.findings.append("\(name) changes another user's row: it answers \(found.status)")
        }
    }

    func answer(_ request: AttackRequest, by user: [String: String]) async throws -> AttackResponse {
        var request = request
        request.fields.merge(user) { $1 }
        return try await send(request)
    }

    /// Returns the row as a user reads it, deleted or not; nil if the user can't.
    private func sight(of targetRow: TargetRow, by user: [String: String]) async throws -> AttackResponse? {
        let request = AttackRequest(
            method: .get, target: targetRow.path + "?__includeDeleted=true", fields: AttackGeneration.v2.fields)
        let answer = try await answer(request, by: user)
        return answer.status == 200 ? answer : nil
    }
}
