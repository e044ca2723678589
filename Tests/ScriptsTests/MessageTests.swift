import Access
import Foundation
import HTTPModel
import JSONText
import OData
import Scalars
import TableOperations
import Tables
import Testing

@testable import Scripts

/// The messages between the server and a worker, by their description. The tests of the JavaScript compare what workers really
/// say with the same.
@Suite struct `Messages between the server and a worker` {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Sources/level4/Scripts")

    private let described: JSONValue

    init() throws {
        described = try JSONReader.parse(
            Array(Data(contentsOf: Self.root.appending(path: "Worker/messages.json"))))
    }

    // MARK: What the server says

    @Test func `what the server says has the members that are described, and no others`() throws {
        let said = try Dictionary(grouping: Self.samples.map(Self.json), by: Self.kind)
        let kinds = described.members("server")
        #expect(Set(said.keys) == Set(kinds.map(\.name)))
        var inner: [String: [JSONValue]] = [:]
        for kind in kinds { compare(said[kind.name] ?? [], kind.value, kind.name, &inner) }
        for (name, values) in inner {
            var none: [String: [JSONValue]] = [:]
            compare(values, described["types"]?[name] ?? .null, name, &none)
            #expect(none.isEmpty)
        }
    }

    /// Compares the members that some values have with those of a type.
    /// - Parameter inner: takes what is in them, by its type.
    private func compare(
        _ values: [JSONValue], _ type: JSONValue, _ place: String, _ inner: inout [String: [JSONValue]]
    ) {
        let members = type.objectMembers
        let said = Set(values.flatMap { $0.objectMembers.map(\.name) }).subtracting(["t", "kind"])
        #expect(said == Set(members.map(\.name)), "\(place)")
        for member in members {
            let name = Self.plain(member.value.textValue ?? "")
            guard case .object? = described["types"]?[name] else { continue }
            inner[name, default: []] += values.compactMap { $0[member.name] }.flatMap { $0.elements ?? [$0] }
        }
    }

    /// Messages that have each member at least once.
    private static var samples: [ServerMessage] {
        let column: [Property] = [Property("at", .date(Instant("2000-01-01T00:00:00Z") ?? Instant(milliseconds: 0)))]
        let row = Record(column)
        var failure = AskFailure(.conflict, 412, "other", row: row)
        failure.execution = 1
        var calls: [ServerMessage] = []
        for isAside in [false, true] {
            let operation = TableTask(
                table: "items", operation: .read, script: .v1, id: .text("a"), version: Version(counter: 1),
                item: column, nested: [], query: ScriptQuery(request), isAside: isAside)
            let task = task(.table(operation))
            calls += [.call(task), .operate(call: 1, ask: 1, operation: 1, task)]
        }
        let replies: [ScriptReply] = [
            .row(row, .v1), .rows([row], count: 1, .v2), .pushed(1), .served(.ok, HTTPFields(), body: []),
            .results([StatementResult(columns: ["at"], rows: [column.map(\.value)], affected: 1)]),
            .failed(failure),
        ]
        return calls + replies.map { .reply(call: 1, ask: 1, $0) } + [
            .load(ScriptProject(.app, at: "/"), tokenKey: "5a17", reports: true), .ping, .cancel(call: 1), .end,
            .call(task(.api(name: "a", path: ["b"], body: []))), .call(task(.http(body: []))),
            .call(task(.job(name: "a"))),
        ]
    }

    private static var request: CurrentRequest? {
        let options = "$filter=a&$orderby=a&$select=a&$skip=1&$top=1&$inlinecount=allpages&__includeDeleted=true"
        var http = HTTPRequest(method: .get, target: Array("/tables/items?\(options)".utf8))
        http.fields.append("X-ZUMO-AUTH", "token")
        http.isSecured = true
        guard let target = try? RequestTarget(http.target) else { return nil }
        return CurrentRequest(http, target, in: "v2", from: "127.0.0.1")
    }

    private static func task(_ kind: ScriptTask.Kind) -> ScriptTask {
        let isJob = if case .job = kind { true } else { false }
        let user = Principal.User(id: "sid:1", claims: ["idp": "facebook"])
        return ScriptTask(
            kind: kind, caller: .user(user), request: isJob ? nil : request, tables: isJob ? [] : ["items"])
    }

    private static func json(_ message: ServerMessage) throws -> JSONValue {
        var frame = message.frame
        if case .call = message { MessageFrames.add("id", 1, to: &frame) }
        return try JSONReader.parse(Array(frame.dropFirst(4)))
    }

    private static func kind(_ message: JSONValue) -> String {
        message.text("t") + (message["kind"]?.textValue.map { " \($0)" } ?? "")
    }

    // MARK: What a worker says

    @Test func `the server knows each member of what a worker says`() {
        for kind in described.members("worker") {
            let words = kind.name.split(separator: " ").map(String.init)
            let tags = zip(["t", "do"], words).map { JSONMember($0, .string($1)) }
            for path in paths(in: kind.value) {
                // What one answer has means nothing in another one.
                let isKnown = (0..<9).contains { turn in
                    let whole = sample(kind.value, turn, tags)
                    return Self.words(of: whole) != Self.words(of: Self.without(path[...], whole))
                }
                #expect(isKnown, "nobody takes \(path.joined(separator: ".")) of \(kind.name)")
            }
        }
    }

    @Test func `the server looks for no member that isn't described`() throws {
        var names: Set<String> = ["t", "do"]
        func take(_ type: JSONValue) {
            for member in type.objectMembers {
                names.insert(member.name)
                if case .object = member.value { take(member.value) }
            }
        }
        for part in ["worker", "types"] { take(described[part] ?? .null) }
        let files = [
            "Messages/WorkerMessage", "Messages/ScriptAnswer", "Inventory/ScriptInventory", "Inventory/ScriptReport",
        ]
        for file in files {
            let text = try String(contentsOf: Self.root.appending(path: "\(file).swift"), encoding: .utf8)
            let asked = text.matches(of: /(?:\[|\(|\$0, |api, )"(\w+)"[\])]/).map { String($0.1) }
            #expect(!asked.isEmpty && Set(asked).isSubset(of: names), "\(file): \(Set(asked).subtracting(names))")
        }
    }

    @Test func `words that have a list are those of the list`() {
        func listed(_ type: String, _ name: String) -> Set<String> {
            Set((described["types"]?[type]?.text(name) ?? "").split { "|?".contains($0) }.map(String.init))
        }
        #expect(listed("Failure", "code") == Set(AskFailure.Code.allCases.map(\.rawValue)))
        #expect(listed("Fault", "name") == Set(UnsupportedFeature.allCases.map(\.rawValue)))
    }

    /// The places of all members of a type.
    private func paths(in type: JSONValue) -> [[String]] {
        type.objectMembers.flatMap { member in
            let inner = described["types"]?[Self.plain(member.value.textValue ?? "")].map(paths) ?? []
            return [[member.name]] + inner.map { [member.name] + $0 }
        }
    }

    /// An object with every member of a type; where a member may have one of several values, the one whose turn it is.
    private func sample(_ type: JSONValue, _ turn: Int, _ tags: [JSONMember] = []) -> JSONValue {
        .object(
            tags + type.objectMembers.map { JSONMember($0.name, value($0.value.textValue ?? "", turn, of: $0.name)) })
    }

    private func value(_ type: String, _ turn: Int, of member: String) -> JSONValue {
        let plain = Self.plain(type)
        if type.hasPrefix("[") { return [value(plain, turn, of: member)] }
        switch plain {
        case "text", "id", "any": return .string(member)
        case "number": return 201
        case "flag": return .boolean(turn % 2 == 0)
        case "object": return ["x": "x"]
        case "pair": return ["x", "x"]
        default:
            if let type = described["types"]?[plain] {
                return type.textValue.map { value($0, turn, of: member) } ?? sample(type, turn)
            }
            let words = plain.split(separator: "|").map(String.init)
            let word = words[turn % words.count]
            return word == plain ? .string(word) : value(word, turn, of: member)
        }
    }

    private static func plain(_ type: String) -> String { type.filter { !"[]?".contains($0) } }

    private static func without(_ path: ArraySlice<String>, _ value: JSONValue) -> JSONValue {
        switch value {
        case .array(let elements): .array(elements.map { without(path, $0) })
        case .object(let members):
            .object(
                members.compactMap { member in
                    guard member.name == path.first else { return member }
                    return path.count == 1 ? nil : JSONMember(member.name, without(path.dropFirst(), member.value))
                })
        default: value
        }
    }

    /// What the server takes a message for, in words.
    private static func words(of message: JSONValue) -> String {
        switch WorkerMessage(message) {
        case .loaded(let inventory, _)?: String(reflecting: inventory)
        case let message: String(reflecting: message)
        }
    }
}

extension JSONValue {
    fileprivate var objectMembers: [JSONMember] {
        if case .object(let members) = self { members } else { [] }
    }
}
