import HTTPModel

/// A request by a second user for a row of the first.
struct AttackRequest: Sendable {
    var method: HTTPMethod
    var target: String
    var fields: [String: String] = [:]
    var body = ""
}

/// The response.
struct AttackResponse: Sendable {
    let status: Int
    let fields: [(name: String, value: String)]
    let body: String
}

/// A row that may or may not exist, with what an attacker may know of it.
struct TargetRow: Sendable {
    let table: String
    let id: String
    /// Whether ids are whole numbers.
    let isNumbered: Bool
    /// A column of text or numbers.
    let column: String
    /// Whether it holds numbers.
    let isOfNumbers: Bool
    /// The value of that column in the first user's row.
    let secret: String
    /// The columns that may name the row's owner, with the first user's id.
    let owner: [String: String]
    /// The version of the first user's row.
    let version: String

    var path: String { "/tables/\(table)/\(id)" }
    /// The id as JSON.
    var jsonID: String { isNumbered ? id : "\"\(id)\"" }
    /// The secret as JSON, and in a query.
    var jsonSecret: String { isOfNumbers ? secret : "\"\(secret)\"" }
    var queriedSecret: String { isOfNumbers ? secret : "'\(secret)'" }
    /// Another value, and a value of another type, as JSON.
    var jsonOther: String { isOfNumbers ? "5" : "\"other\"" }
    var jsonOfOtherType: String { isOfNumbers ? "\"other\"" : "5" }
}

/// One way to request a row, which is the same for every table and changes nothing. From the answer, a second user must
/// not learn what the row contains or whether it exists.
struct AttackVector: Sendable {
    let name: String
    /// Whether the answer may be that the id is taken, since two rows can't share one.
    var tellsTaken = false
    /// Whether it requests all rows instead of one by its id: the response has to be the same as before the row
    /// existed.
    var isOfAll = false
    let request: @Sendable (TargetRow) -> AttackRequest

    /// Returns all vectors of a generation.
    static func all(in generation: AttackGeneration) -> [AttackVector] {
        reads(generation) + lists(generation) + listsOfAll(generation) + inserts(generation) + writes(generation)
            + (generation == .v3 ? patches : [])
    }

    private static func make(
        _ generation: AttackGeneration, _ what: String, _ method: HTTPMethod, tellsTaken: Bool = false,
        with fields: @escaping @Sendable (TargetRow) -> [String: String] = { _ in [:] },
        to target: @escaping @Sendable (TargetRow) -> String,
        _ body: @escaping @Sendable (TargetRow) -> String = { _ in "" }
    ) -> AttackVector {
        AttackVector(name: "\(generation.rawValue) \(what)", tellsTaken: tellsTaken) { targetRow in
            let text = body(targetRow)
            var all = generation.fields.merging(fields(targetRow)) { $1 }
            if !text.isEmpty, all["Content-Type"] == nil { all["Content-Type"] = "application/json" }
            return AttackRequest(method: method, target: target(targetRow), fields: all, body: text)
        }
    }

    private static func reads(_ generation: AttackGeneration) -> [AttackVector] {
        var all = [
            make(generation, "GET", .get, to: \.path),
            make(generation, "GET with tombstones", .get, to: { $0.path + "?__includeDeleted=true" }),
            make(
                generation, "GET if it has changed", .get, with: { ["If-None-Match": "\"\($0.version)\""] }, to: \.path),
        ]
        if generation != .v1 { all.append(make(generation, "HEAD", .head, to: \.path)) }
        return all
    }

    private static func lists(_ generation: AttackGeneration) -> [AttackVector] {
        let count = generation == .v3 ? "$count=true" : "$inlinecount=allpages"
        func list(_ what: String, _ query: @escaping @Sendable (TargetRow) -> String) -> AttackVector {
            make(generation, what, .get, to: { "/tables/\($0.table)?\(query($0))" })
        }
        let byID: @Sendable (TargetRow) -> String = { "$filter=id%20eq%20\($0.isNumbered ? $0.id : "'\($0.id)'")" }
        return [
            list("list by id", byID),
            list("list by id with tombstones, counted") { "\(byID($0))&\(count)&__includeDeleted=true" },
            list("count by id") { "\(byID($0))&\(count)&$top=0" },
            list("list by id and what it holds") { targetRow in
                byID(targetRow)
                    + "%20and%20\(targetRow.column)%20eq%20\(targetRow.queriedSecret)&$orderby=\(targetRow.column)"
            },
        ]
    }

    /// Scripts may react to any option of a list, and hide nothing if it is present or absent.
    private static func listsOfAll(_ generation: AttackGeneration) -> [AttackVector] {
        let count = generation == .v3 ? "$count=true" : "$inlinecount=allpages"
        let newest = "$orderby=\(generation == .v1 ? "__" : "")createdAt%20desc&$top=5"
        let all: [(String, @Sendable (TargetRow) -> String)] = [
            ("", { _ in "" }),
            (" of the newest", { _ in newest }),
            (" of the newest with tombstones, counted", { _ in "\(newest)&\(count)&__includeDeleted=true" }),
            (" of one column", { "\(newest)&$select=\($0.column)" }),
            (" from a place on", { _ in "\(newest)&$skip=0" }),
            (" by what it holds", { "$filter=\($0.column)%20eq%20\($0.queriedSecret)" }),
        ]
        return all.map { what, query in
            var vector = make(generation, "list\(what)", .get, to: { "/tables/\($0.table)?\(query($0))" })
            vector.isOfAll = true
            return vector
        }
    }

    /// A row of the second user with the id of another's.
    private static func item(_ targetRow: TargetRow) -> String {
        "{\"id\":\(targetRow.jsonID),\"\(targetRow.column)\":\(targetRow.jsonOther)}"
    }

    private static func change(_ targetRow: TargetRow) -> String { "{\"\(targetRow.column)\":\(targetRow.jsonOther)}" }

    /// A change that itself names the row's owner.
    private static func changeOfOwner(_ targetRow: TargetRow) -> String {
        let owner = targetRow.owner.sorted { $0.key < $1.key }.map { ",\"\($0)\":\($1)" }.joined()
        return "{\"\(targetRow.column)\":\(targetRow.jsonOther)\(owner)}"
    }

    private static let conditions: [(String, @Sendable (TargetRow) -> [String: String])] = [
        ("", { _ in [:] }),
        (" with a wrong If-Match", { _ in ["If-Match": "\"AAAAAAAAAAA=\""] }),
        (" with its If-Match", { ["If-Match": "\"\($0.version)\""] }),
    ]

    private static func inserts(_ generation: AttackGeneration) -> [AttackVector] {
        let repeated: @Sendable (TargetRow) -> [String: String] = { ["Idempotency-Key": "attack-\($0.id)"] }
        return (conditions + [(" once", repeated)]).map { what, fields in
            make(generation, "POST\(what)", .post, tellsTaken: true, with: fields, to: { "/tables/\($0.table)" }, item)
        }
    }

    private static func writes(_ generation: AttackGeneration) -> [AttackVector] {
        var all: [AttackVector] = []
        for (what, fields) in conditions {
            all.append(make(generation, "PATCH\(what)", .patch, with: fields, to: \.path, change))
            all.append(make(generation, "DELETE\(what)", .delete, with: fields, to: \.path))
            if generation == .v3 {
                all.append(make(generation, "PUT\(what)", .put, with: fields, to: \.path, item))
                all.append(
                    make(
                        generation, "undelete\(what)", .patch, with: fields, to: \.path, { _ in #"{"deleted":false}"# })
                )
            } else {
                all.append(make(generation, "undelete\(what)", .post, with: fields, to: \.path))
            }
        }
        all.append(make(generation, "PATCH of nothing", .patch, to: \.path, { _ in "{}" }))
        all.append(
            make(generation, "PATCH of another type", .patch, to: \.path) { targetRow in
                "{\"\(targetRow.column)\":\(targetRow.jsonOfOtherType)}"
            })
        all.append(make(generation, "PATCH in the first user's name", .patch, to: \.path, changeOfOwner))
        if generation == .v2 {
            all.append(make(generation, "PATCH by the id in its body", .patch, to: { "/tables/\($0.table)" }, item))
        }
        if generation == .v1 {
            let override: @Sendable (TargetRow) -> [String: String] = { _ in ["X-HTTP-Method-Override": "PATCH"] }
            all.append(make(generation, "POST that means PATCH", .post, with: override, to: \.path, change))
        }
        return all
    }

    /// Patches that could reveal rows without writing, and conditions that only v3 has.
    private static let patches: [AttackVector] = {
        let patch: @Sendable (TargetRow) -> [String: String] = { _ in ["Content-Type": "application/json-patch+json"] }
        func test(_ what: String, _ value: @escaping @Sendable (TargetRow) -> String) -> AttackVector {
            make(.v3, "patch with a test that is \(what)", .patch, with: patch, to: \.path) { targetRow in
                #"[{"op":"test","path":"/\#(targetRow.column)","value":\#(value(targetRow))}"#
                    + #",{"op":"replace","path":"/\#(targetRow.column)","value":\#(targetRow.jsonOther)}]"#
            }
        }
        let others: [(String, [String: String])] = [
            ("If-None-Match: *", ["If-None-Match": "*"]),
            ("If-Unmodified-Since", ["If-Unmodified-Since": "Mon, 01 Jan 2001 00:00:00 GMT"]),
            ("If-Modified-Since", ["If-Modified-Since": "Sun, 01 Jan 2040 00:00:00 GMT"]),
        ]
        return [
            test("true", \.jsonSecret), test("false", { $0.isOfNumbers ? "4" : "\"nothing like it\"" }),
            make(.v3, "patch with its version", .patch, with: patch, to: \.path) {
                #"[{"op":"test","path":"/version","value":"\#($0.version)"},{"op":"replace","path":"/id","value":"x"}]"#
            },
            make(.v3, "patch that copies what it holds to its id", .patch, with: patch, to: \.path) {
                #"[{"op":"copy","from":"/\#($0.column)","path":"/id"}]"#
            },
        ]
            + others.map { what, fields in
                make(.v3, "PATCH with \(what)", .patch, with: { _ in fields }, to: \.path, change)
            }
            + others.map { what, fields in make(.v3, "DELETE with \(what)", .delete, with: { _ in fields }, to: \.path)
            }
    }()
}

/// The generations of the clients.
enum AttackGeneration: String, CaseIterable, Sendable {
    case v1, v2, v3

    var fields: [String: String] {
        switch self {
        case .v1: ["X-ZUMO-APPLICATION": "attack"]
        case .v2: ["ZUMO-API-VERSION": "2.0.0"]
        case .v3: ["ZUMO-API-VERSION": "3.0.0"]
        }
    }
}
