import Foundation
import JSONText
import SeedTesting
import Testing
import WireTesting

/// Users and somebody without a token send requests at random. What each is answered, and what becomes of the rows, is
/// held against what the master key sees before and after.
@Suite struct `Rows that are not everybody's` {
    private static let steps = 200

    @Test(arguments: GuardedTable.allCases, TestDatabase.all)
    func `no answer holds a byte of a hidden row, and no request changes one`(
        _ table: GuardedTable, on database: TestDatabase
    ) async throws {
        let seed = SeededGenerator.printedSeed(of: "hidden rows of \(table) on \(database)")
        try await TestServer.with(on: database, lines: [UserTokens.line], files: GuardedTable.files) { server in
            var trial = Trial(table, try WireClient(port: server.port), seed: seed)
            try trial.begin()
            for step in 0..<Self.steps { try trial.step("ZUMOD_TEST_SEED=\(seed), step \(step)") }
            for happening in Trial.Happening.allCases {
                #expect(trial.happenings[happening, default: 0] > 0, "\(happening) never came to pass; seed \(seed)")
            }
        }
    }
}

/// A table under attack.
private struct Trial {
    /// What has to come to pass for the trial to mean something.
    enum Happening: CaseIterable {
        case written, refused, hiddenRowNamed, hiddenIDInserted, hiddenTextSearched, listUnmoved
    }

    private let table: GuardedTable
    private let client: WireClient
    private var intruder: Intruder
    /// The marks that each caller has sent, or has seen in rows that were theirs to see.
    private var told: [Caller: Set<String>] = [:]
    /// The keys by which repetitions of a caller's writes are known.
    private var keys: [Caller: Set<String>] = [:]
    private(set) var happenings: [Happening: Int] = [:]

    init(_ table: GuardedTable, _ client: WireClient, seed: UInt64) {
        self.table = table
        self.client = client
        intruder = Intruder(table, seed: seed)
    }

    /// Gives each caller rows that no other sees.
    mutating func begin() throws {
        for (id, caller) in zip(intruder.ids, Caller.allCases + Caller.allCases) {
            let owner = caller.id.map { "\"\($0)\"" } ?? "null"
            let row = "{\"id\":\"\(id)\",\"text\":\"\(intruder.mark())\",\"\(table.ownerColumn)\":\(owner)}"
            #expect(try client.exchange("POST", "/tables/\(table)", row, ["X-ZUMO-MASTER: master"]).code == 201)
        }
    }

    mutating func step(_ name: String) throws {
        let before = try rows()
        let caller = intruder.pick(Caller.allCases)
        let hidden = before.values.filter { !table.isSeen($0, by: caller) }.sorted { $0.id < $1.id }
        let attempt = intruder.attempt(on: before, hidden: hidden)
        let response = try send(attempt, by: caller)
        if [401, 403].contains(response.code) { happened(.refused) }
        let name: Comment = "\(name): \(caller) \(attempt) -> \(response.status) \(response.text)"
        let after = try rows()
        #expect(response.code < 500, name)
        checkMarks(in: response, attempt, caller, before, after, name)
        checkChanges(from: before, to: after, by: caller, response, name)
        try check(response, to: attempt, by: caller, before, name)
        if attempt.kind == .list {
            try checkUnmoved(response, attempt, caller, hidden, name)
            keepLink(of: response, attempt)
        }
    }

    private func send(_ attempt: Intruder.Attempt, by caller: Caller) throws -> WireResponse {
        try client.exchange(attempt.method, attempt.target, attempt.body, attempt.fields + caller.fields)
    }

    /// All rows, as the master key sees them.
    private func rows() throws -> [String: Row] {
        let list = try client.exchange(
            "GET", "/tables/\(table)?__includeDeleted=true&$top=1000", "", ["X-ZUMO-MASTER: master"])
        return Dictionary(uniqueKeysWithValues: try list.rows.map { ($0.id, $0) })
    }

    /// Every mark in an answer is the caller's own, or of a row that they see; a hidden row's version is in none.
    private mutating func checkMarks(
        in response: WireResponse, _ attempt: Intruder.Attempt, _ caller: Caller, _ before: [String: Row],
        _ after: [String: Row], _ name: Comment
    ) {
        let sent = attempt.target + attempt.body + attempt.fields.joined()
        var known = told[caller, default: []]
        for row in Array(before.values) + Array(after.values) where table.isSeen(row, by: caller) {
            known.formUnion(row.values.compactMap(\.text).flatMap(Self.marks))
        }
        let answer = response.text + response.fields.map { "\n\($0.value)" }.joined()
        let foreign = Self.marks(in: answer + Self.opened(answer)).subtracting(known).subtracting(Self.marks(in: sent))
        #expect(foreign.isEmpty, name)
        for row in before.values where !table.isSeen(row, by: caller) {
            guard let version = row["version"]?.text, !sent.contains(version) else { continue }
            #expect(!answer.contains(version), name)
        }
        told[caller] = known.union(Self.marks(in: attempt.body))
    }

    private static func marks(in text: String) -> Set<String> {
        Set(text.matches(of: /mark[0-9a-f]{12}/).map { String($0.0) })
    }

    /// What the links of an answer hold in Base64.
    private static func opened(_ answer: String) -> String {
        answer.matches(of: /skiptoken=([A-Za-z0-9_-]+)/).map { match in
            var text = String(match.1).replacing("-", with: "+").replacing("_", with: "/")
            text += String(repeating: "=", count: (4 - text.count % 4) % 4)
            return String(decoding: Data(base64Encoded: text) ?? Data(), as: UTF8.self)
        }.joined(separator: "\n")
    }

    /// Only a row that the caller may write is written, and only to one that they may write.
    private mutating func checkChanges(
        from before: [String: Row], to after: [String: Row], by caller: Caller, _ response: WireResponse,
        _ name: Comment
    ) {
        let changed = Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }
        #expect(changed.count <= 1, name)
        for id in changed {
            #expect(response.code < 300, name)
            #expect(before[id].map { table.isWritable($0, by: caller) } ?? true, name)
            #expect(after[id].map { table.isWritable($0, by: caller) } ?? true, name)
            happened(.written)
        }
    }

    private mutating func check(
        _ response: WireResponse, to attempt: Intruder.Attempt, by caller: Caller, _ before: [String: Row],
        _ name: Comment
    ) throws {
        if let key = attempt.key, !keys[caller, default: []].insert(key).inserted {
            // The caller's own, answered as it was the first time, whatever became of the row.
            return
        }
        guard let row = before[attempt.id] else {
            guard attempt.findsNothing, response.code == 200 else { return }
            happened(.hiddenTextSearched)
            #expect(try response.found == 0, name)
            return
        }
        if table.isSeen(row, by: caller) {
            guard attempt.kind == .write, !table.isWritable(row, by: caller) else { return }
            #expect(response.code >= 400, name)
        } else if attempt.kind == .insert {
            happened(.hiddenIDInserted)
            // That the id is taken is all that is told.
            #expect([400, 401, 403, 409].contains(response.code), name)
            #expect(try Set(response.row.keys).isSubset(of: ["error", "message", "code"]), name)
        } else {
            happened(.hiddenRowNamed)
            // As if there were no such row, to the letter.
            let free = intruder.mark()
            let twin = try send(attempt.naming(free), by: caller)
            #expect(twin.status == response.status, name)
            #expect(twin.text == response.text.replacing(attempt.id, with: free), name)
            #expect(twin.fields.map(\.name) == response.fields.map(\.name), name)
            // 405 where the table has no undelete.
            #expect([400, 401, 404, 405].contains(response.code), name)
        }
    }

    /// What a hidden row holds moves nothing in a list.
    private mutating func checkUnmoved(
        _ response: WireResponse, _ attempt: Intruder.Attempt, _ caller: Caller, _ hidden: [Row], _ name: Comment
    ) throws {
        guard let row = hidden.isEmpty ? nil : intruder.pick(hidden), row["deleted"] != .boolean(true) else { return }
        let change = "{\"text\":\"\(intruder.mark())\",\"rank\":\(intruder.pick([-2, 0, 1, 5]))}"
        let path = "/tables/\(table)/\(row.id)"
        #expect(try client.exchange("PATCH", path, change, ["X-ZUMO-MASTER: master"]).code == 200, name)
        let again = try send(attempt, by: caller)
        #expect(
            again.status == response.status && again.text == response.text && again["Link"] == response["Link"], name)
        happened(.listUnmoved)
    }

    private mutating func keepLink(of response: WireResponse, _ attempt: Intruder.Attempt) {
        guard let link = response.nextPath ?? (try? response.row["nextLink"]?.text) else { return }
        let start = link.firstRange(of: "/tables/")?.lowerBound
        intruder.links.append((start.map { String(link[$0...]) } ?? "/tables/\(table)?\(link)", attempt.fields))
    }

    private mutating func happened(_ happening: Happening) { happenings[happening, default: 0] += 1 }
}

extension Row {
    fileprivate var id: String { self["id"]?.text ?? "" }
}

extension WireResponse {
    /// How many rows a list holds or counts.
    fileprivate var found: Int {
        get throws {
            let rows = try self.rows.count
            guard case .array(let items)? = try row["items"] else {
                return max(rows, Int(try row["count"]?.text ?? "0") ?? 0)
            }
            return max(items.count, Int(try row["count"]?.text ?? "0") ?? 0)
        }
    }
}
