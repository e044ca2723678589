import Access
import ByteText
import HTTPModel
import JSONText
import OData
import Scalars
public import TableOperations
public import Tables

/// The scripts of tables, as operations on them pass through.
public struct ScriptedTables: TableScripts {
    private struct Entry: Sendable {
        let table: ScriptedTable
        let operations: Set<Operation>
    }

    private let host: ScriptHost
    private let errands: ScriptServices
    private let entries: [Identifier: Entry]

    /// Makes them of what a host has read.
    public init(_ host: ScriptHost, _ errands: ScriptServices) {
        self.host = host
        self.errands = errands
        var entries: [Identifier: Entry] = [:]
        for table in host.inventory.tables {
            guard let name = Identifier(table.name) else { continue }
            var operations = Set(table.operations.compactMap { Operation(rawValue: $0) })
            if table.undeletesByUpdate { operations.insert(.undelete) }
            entries[name] = Entry(table: table, operations: operations)
        }
        self.entries = entries
    }

    /// Whether there is a script around an operation.
    public func has(_ operation: Operation, of table: Identifier, passing passes: Bool) -> Bool {
        guard let entry = entries[table], entry.operations.contains(operation) else { return false }
        return entry.table.generation == .v2 || !passes
    }

    /// Whether the script of updates stands around undeletes too.
    public func undeletesByUpdate(_ table: Identifier) -> Bool { entries[table]?.table.undeletesByUpdate ?? false }

    /// Runs it.
    public func run(_ call: ScriptedCall) async -> ScriptEnd {
        guard let entry = entries[call.table.name] else { return .failed(detail: "there is no script") }
        let generation = entry.table.generation
        let request = call.request
        let query = ScriptQuery(call.operation == .read && call.id == nil ? request : nil)
        let name = ScriptCallName(
            script: "\(entry.table.file) (\(call.operation.rawValue))", request: request?.http.fields["X-Request-Id"])
        let message = message(call, entry.table, query, request)
        let answer = { @Sendable (ask: JSONValue) async -> JSONValue in
            guard ask["do"]?.textValue == "execute" else {
                return await errands.reply(to: ask, call.tables, for: generation, by: call.caller)
            }
            let change: ScriptedChange
            do throws(ScriptAnswerFault) {
                change = try Self.change(ask, query, of: call)
            } catch {
                return ScriptValues.failure("bad", 400, error.text)
            }
            return switch await call.execute(change) {
            case .row(let row): ScriptValues.reply(row, for: generation)
            case .rows(let rows, let count): ScriptValues.reply(rows, count: count, for: generation)
            case .failed(let failure):
                Self.numbered(ScriptValues.failure(failure, for: generation), failure.execution)
            }
        }
        let end =
            if let serving = MiddlewareChain.serving {
                await serving.chain.run(message, askedBy: serving.number, answer)
            } else {
                await host.call(message, named: name, by: ScriptCaller.key(call.caller, request), answer)
            }
        if case .answered(let answer) = end, !call.isAside {
            if answer["kind"]?.textValue == "http" { request?.answerFields.choose(Self.response(answer)) }
            for field in Self.fields(answer) { request?.answerFields.add(field.name, field.value) }
        }
        return Self.end(end, query, name, of: call)
    }

    private func message(
        _ call: ScriptedCall, _ table: ScriptedTable, _ query: ScriptQuery, _ request: CurrentRequest?
    ) -> [JSONMember] {
        var members = [
            JSONMember("kind", "table"), JSONMember("table", .string(table.name)),
            JSONMember("operation", .string(call.operation.rawValue)),
            JSONMember("generation", .string(request?.generation ?? "v2")),
            JSONMember("rowID", call.operation == .insert ? .null : Self.id(call.id)),
            JSONMember("version", call.version.map { .string($0.wireText) } ?? .null),
            JSONMember("user", ScriptCaller.user(call.caller, request)),
            JSONMember("request", ScriptCaller.request(request)),
        ]
        if call.isAside { members.append(JSONMember("aside", true)) }
        members += ScriptServices.told(of: call.tables, for: table.generation)
        switch call.operation {
        case .insert, .update:
            members.append(JSONMember("item", Self.item(call, request)))
        case .read where call.id == nil: members.append(JSONMember("query", query.json))
        case .read, .delete, .undelete: break
        }
        return members
    }

    /// What the client sent, with what no column can hold. Columns are spelled as the table has them, or a script that asks
    /// for one by its name would miss it.
    private static func item(_ call: ScriptedCall, _ request: CurrentRequest?) -> JSONValue {
        let nested = request?.nestedMembers?.all ?? []
        return .object(
            Record(call.item).properties.map { property in
                let name = Identifier(property.name).flatMap { call.table.column($0)?.name.text } ?? property.name
                let kept = nested.last { $0.name.isExactly(property.name) }?.value
                return JSONMember(name, kept ?? ScriptValues.json(property.value))
            })
    }

    private static func id(_ id: RowID?) -> JSONValue {
        switch id {
        case .text(let text)?: .string(text)
        case .integer(let number)?: .integer(number)
        case nil: .null
        }
    }

    /// The failure with the number by which the script may hand it on.
    private static func numbered(_ failure: JSONValue, _ execution: Int) -> JSONValue {
        guard case .object(let members)? = failure["error"] else { return failure }
        return [
            "ok": false, "error": .object(members + [JSONMember("execution", .integer(Int64(execution)))]),
        ]
    }

    private static func change(
        _ value: JSONValue, _ query: ScriptQuery, of call: ScriptedCall
    ) throws(ScriptAnswerFault) -> ScriptedChange {
        var change = ScriptedChange()
        guard let values = ScriptValues.properties(value["set"]) else {
            throw ScriptAnswerFault(text: "A property holds an object or an array, which a column can't hold.")
        }
        change.values = values
        change.removed = (value["unset"]?.elements ?? []).compactMap(\.textValue)
        let touched = Set((values.map(\.name) + change.removed).map { ExactText($0.lowercased()) })
        // A read that is asked beside a write has nothing to do with the body.
        if call.operation != .read,
            let left = call.request?.nestedMembers?.all.first(where: {
                !touched.contains(ExactText($0.name.lowercased()))
            })
        {
            throw ScriptAnswerFault(
                text: "The property '\(left.name)' holds an object or an array, which a column can't hold.")
        }
        change.id = value["rowID"]?.textValue ?? value["rowID"]?.integerValue.map { String($0) }
        if change.id == nil, let id = Record(values).id {
            change.id = id
            call.request?.answerFields.choose(id)
        }
        switch value["version"] {
        case .string(let text)?: change.version = .version(text)
        case .null?: change.version = .any
        default: break
        }
        do throws(QueryError) {
            change.query = try query.change(to: value["query"])
        } catch {
            throw ScriptAnswerFault(
                text: "a script's query can't be read: \(error.option): \(error.reason.words { $0 })")
        }
        return change
    }

    private static func end(
        _ end: ScriptHost.CallEnd, _ query: ScriptQuery, _ name: ScriptCallName, of call: ScriptedCall
    ) -> ScriptEnd {
        switch end {
        case .tooLong: return .failed(detail: "\(name.script) took longer than scripts.timeSeconds")
        case .lost(let reason): return .failed(detail: "\(name.script): its worker ended: \(reason)")
        case .busy: return .busy
        case .answered(let answer): return Self.end(answer, query, name, of: call)
        }
    }

    private static func end(
        _ answer: JSONValue, _ query: ScriptQuery, _ name: ScriptCallName, of call: ScriptedCall
    ) -> ScriptEnd {
        switch answer["kind"]?.textValue {
        case "execute":
            do throws(ScriptAnswerFault) {
                return .execute(try change(answer, query, of: call))
            } catch {
                return .refused(Refusal(.badRequest, error.text))
            }
        case "result": return .executed
        // Whoever asks has it already, or gets it as the script wrote it.
        case "own", "http": return .answered(ScriptedAnswer(nil, nil))
        case "unchanged":
            return .passed(execution: Int(clamping: answer["execution"]?.integerValue ?? 0))
        case "value":
            return .answered(
                ScriptedAnswer(status(answer), answer["body"], count: answer["count"]?.integerValue))
        case "error" where call.operation == .read && answer["isMissing"]?.booleanValue == true:
            return .answered(.missing)
        case "error":
            let status = status(answer) ?? .internalServerError
            if let body = answer["body"], body != .null {
                return .answered(ScriptedAnswer(status, body))
            }
            return .refused(Refusal(status, answer["message"]?.textValue ?? status.reasonPhrase))
        default:
            return .failed(detail: ScriptAnswerFault.words(of: answer, in: name))
        }
    }

    /// What a script wrote itself, to the last byte.
    private static func response(_ answer: JSONValue) -> HTTPResponse {
        var fields = HTTPFields()
        for (name, value) in ScriptedAPIs.fields(answer) {
            guard let name = HTTPFieldName(name), !name.framesMessages else { continue }
            fields.append(named: name, value)
        }
        var response = HTTPResponse(
            status(answer) ?? .internalServerError, fields: fields, body: ScriptedAPIs.body(answer))
        if response.status.rawValue >= 400 { response.reason = "the table's script answered so" }
        return response
    }

    private static func status(_ answer: JSONValue) -> HTTPStatus? {
        answer["status"]?.integerValue.flatMap { HTTPStatus(rawValue: Int(clamping: $0)) }
    }

    private static func fields(_ answer: JSONValue) -> [(name: String, value: String)] {
        guard case .object(let members)? = answer["headers"] else { return [] }
        return members.compactMap { member in member.value.textValue.map { (member.name, $0) } }
    }
}

/// What a script says that can't be done.
struct ScriptAnswerFault: Error {
    let text: String

    /// How a script broke, for the log.
    static func words(of answer: JSONValue, in name: ScriptCallName) -> String {
        let place = answer["file"]?.textValue.map { file in
            " at \(file)\(answer["line"]?.integerValue.map { ":\($0)" } ?? "")"
        }
        let text = answer["stack"]?.textValue ?? answer["message"]?.textValue ?? "no answer"
        return "\(name.script)\(place ?? ""): \(text)"
    }
}
