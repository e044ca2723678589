import JSONText
import SeedTesting
import WireTesting

/// Makes requests at random, many of them for rows that are not the caller's to see.
struct Intruder {
    /// A request, but for who sends it.
    struct Attempt {
        enum Kind { case list, read, insert, write }

        var kind: Kind
        var method: String
        var target: String
        var body = ""
        var fields: [String] = []
        /// The row that it names.
        var id = ""
        /// By what a repetition of it is known.
        var key: String?
        /// What a list may not find, for it stands in hidden rows alone.
        var findsNothing = false

        /// The same for another row.
        func naming(_ other: String) -> Attempt {
            var attempt = self
            attempt.id = other
            attempt.target = target.replacing(id, with: other)
            attempt.body = body.replacing(id, with: other)
            return attempt
        }
    }

    let table: GuardedTable
    /// The rows' ids, taken or not.
    let ids: [String]
    var random: SeededGenerator
    /// The addresses of next pages that any caller was given, with how they ask.
    var links: [(target: String, fields: [String])] = []
    /// What any caller has sent with a mark of being done once.
    private var marked: [Attempt] = []

    init(_ table: GuardedTable, seed: UInt64) {
        self.table = table
        random = SeededGenerator(seed: seed)
        var generator = random
        ids = (0..<8).map { _ in Self.mark(&generator) }
        random = generator
    }

    /// A text that stands nowhere else.
    mutating func mark() -> String { Self.mark(&random) }

    private static func mark(_ random: inout SeededGenerator) -> String {
        let digits = String(UInt64.random(in: 0...UInt64.max, using: &random) >> 16, radix: 16)
        return "mark" + String(repeating: "0", count: 12 - digits.count) + digits
    }

    mutating func pick<Choice>(_ choices: [Choice]) -> Choice {
        choices[Int.random(in: 0..<choices.count, using: &random)]
    }

    mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

    /// - Parameters:
    ///   - rows: those that there are, by their ids.
    ///   - hidden: those among them that the caller doesn't see.
    mutating func attempt(on rows: [String: Row], hidden: [Row]) -> Attempt {
        if chance(10), !marked.isEmpty { return pick(marked) }
        let dialect = pick(Dialect.allCases)
        var attempt =
            switch Int.random(in: 0..<100, using: &random) {
            case ..<40: list(dialect, hidden)
            case ..<50: read(dialect)
            case ..<65: insert(dialect)
            default: write(dialect)
            }
        if attempt.kind != .list, chance(40) { attempt.fields.append(condition(of: rows)) }
        if attempt.kind != .list, attempt.kind != .read, chance(15) {
            let key = mark()
            attempt.key = key
            attempt.fields += ["X-ZUMO-INSTALLATION-ID: phone", "Idempotency-Key: \(key)"]
            marked.append(attempt)
        }
        return attempt
    }

    /// A condition that the right version of any row may fulfil.
    private mutating func condition(of rows: [String: Row]) -> String {
        let version = rows.isEmpty ? "AAAAAAAAAAA=" : pick(rows.values.compactMap { $0["version"]?.text }.sorted())
        return pick([
            "If-Match: \"\(version)\"", "If-Match: \"\(version)\"", "If-Match: *", "If-Match: \(version)",
            "If-None-Match: \"\(version)\"", "If-None-Match: *", "If-Match: \"AAAAAAAAAAA=\", \"\(version)\"",
            "If-Unmodified-Since: Sat, 21 Nov 2015 12:00:00 GMT", "If-Modified-Since: Sat, 21 Nov 2015 12:00:00 GMT",
        ])
    }

    private mutating func read(_ dialect: Dialect) -> Attempt {
        let id = pick(ids)
        let options = pick(["", "?__includeDeleted=true", "?$select=text", "?__systemProperties=*"])
        return Attempt(
            kind: .read, method: dialect == .services ? "GET" : pick(["GET", "HEAD"]),
            target: "/tables/\(table)/\(id)\(options)", fields: dialect.fields, id: id)
    }

    private mutating func insert(_ dialect: Dialect) -> Attempt {
        let id = pick(ids)
        return Attempt(
            kind: .insert, method: "POST", target: "/tables/\(table)", body: body(id),
            fields: dialect.fields + Self.json,
            id: id)
    }

    private mutating func write(_ dialect: Dialect) -> Attempt {
        let id = pick(ids)
        var attempt = Attempt(
            kind: .write, method: pick(["PATCH", "PATCH", "DELETE", "POST", "PUT"]), target: "/tables/\(table)/\(id)",
            fields: dialect.fields, id: id)
        switch (attempt.method, dialect) {
        case ("PATCH", .datasync) where chance(30):
            attempt.body = #"[{"op":"test","path":"/text","value":"\#(mark())"},{"op":"remove","path":"/rank"}]"#
            attempt.fields.append("Content-Type: application/json-patch+json")
        case ("PATCH", .services) where chance(30):
            attempt.method = "POST"
            attempt.body = body(nil)
            attempt.fields += ["X-HTTP-Method-Override: patch"] + Self.json
        case ("PATCH", _):
            attempt.body = chance(10) ? "{}" : body(chance(30) ? id : nil)
            attempt.fields += Self.json
        case ("POST", .datasync):
            attempt.method = "PATCH"
            attempt.body = #"{"deleted":false}"#
            attempt.fields += Self.json
        case ("PUT", _):
            attempt.fields = Dialect.datasync.fields + Self.json
            attempt.body = body(id)
            if chance(30) { attempt.target += "?__includedeleted=true" }
        default: break
        }
        return attempt
    }

    private static let json = ["Content-Type: application/json"]

    /// A row, or some columns of one.
    private mutating func body(_ id: String?) -> String {
        var members = ["\"text\":\"\(mark())\"", "\"rank\":\(Int.random(in: -3...3, using: &random))"]
        if let id { members.append("\"id\":\"\(id)\"") }
        if chance(70) { members.append("\"\(table.ownerColumn)\":\(pick(["\"sid:alice\"", "\"sid:bob\"", "null"]))") }
        if table != .mine, chance(50) { members.append("\"shared\":\(pick(["true", "false", "null"]))") }
        return "{" + members.joined(separator: ",") + "}"
    }

    private mutating func list(_ dialect: Dialect, _ hidden: [Row]) -> Attempt {
        if chance(25), !links.isEmpty {
            let link = pick(links)
            return Attempt(kind: .list, method: "GET", target: link.target, fields: link.fields)
        }
        var attempt = Attempt(kind: .list, method: "GET", target: "/tables/\(table)?", fields: dialect.fields)
        var options: [String] = []
        if chance(25), let row = hidden.isEmpty ? nil : pick(hidden), let text = row["text"]?.text {
            options.append("$filter=" + pick(["text eq '\(text)'", "startswith(text,'\(text)')", "'\(text)' eq text"]))
            attempt.findsNothing = true
        } else if chance(60) {
            options.append("$filter=" + condition(dialect))
        }
        if chance(40) { options.append("$orderby=" + pick(Self.orders)) }
        if chance(30) { options.append("$select=" + pick(["id", "text,rank", "version,updatedAt", "rank"])) }
        if chance(30) { options.append("$top=\(Int.random(in: 0...3, using: &random))") }
        if chance(20) { options.append("$skip=\(Int.random(in: 0...3, using: &random))") }
        if chance(60) { options.append(dialect.count) }
        if chance(50) { options.append("__includeDeleted=true") }
        attempt.target += options.joined(separator: "&")
        return attempt
    }

    private static let orders = [
        "text", "text desc", "rank desc,text", "updatedAt", "updatedAt desc,id", "length(text),rank", "1 div rank",
    ]

    /// What rows of others would fulfil too, or fail over.
    private mutating func condition(_ dialect: Dialect) -> String {
        let owner = table.ownerColumn
        let term = pick([
            "true", "\(owner) ne null", "\(owner) eq null", "not (\(owner) eq 'sid:alice')", "\(owner) gt ''",
            "length(text) ge 0", "id ne 'x'", "rank div (rank sub 1) ge 0", "rank mul 1e300 mul 1e300 gt 0",
            "substring(text,rank) ne 'x'", "substring(text,rank,rank) eq ''", "rank mod 0 eq 1", "round(rank) lt 9",
            "indexof(text,'mark') eq 0", "tolower(concat(text,\(owner))) ne 'x'", "year(updatedAt) gt 2000",
            "version ne null", "deleted eq true", "updatedAt ge createdAt",
        ])
        return chance(30) ? "\(term) \(pick(["and", "or"])) \(condition(dialect))" : term
    }
}
