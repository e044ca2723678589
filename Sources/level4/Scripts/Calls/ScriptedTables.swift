import Access
import ByteText
import HTTPModel
import JSONText
import OData
import Scalars
public import TableOperations
public import Tables

/// The scripts of tables, as table operations call them.
public struct ScriptedTables: TableScripts {
    private struct Entry: Sendable {
        let table: ScriptedTable
        let operations: Set<Operation>
    }

    private let host: ScriptHost
    private let services: ScriptServices
    private let entries: [Identifier: Entry]

    /// Creates the scripts that a host has read.
    public init(_ host: ScriptHost, _ services: ScriptServices) {
        self.host = host
        self.services = services
        var entries: [Identifier: Entry] = [:]
        for table in host.inventory.tables {
            guard let name = Identifier(table.name) else { continue }
            var operations = Set(table.operations.compactMap { Operation(rawValue: $0) })
            if table.undeletesByUpdate { operations.insert(.undelete) }
            entries[name] = Entry(table: table, operations: operations)
        }
        self.entries = entries
    }

    /// Whether an operation has a script.
    public func has(_ operation: Operation, of table: Identifier, passing passes: Bool) -> Bool {
        guard let entry = entries[table], entry.operations.contains(operation) else { return false }
        return entry.table.generation == .v2 || !passes
    }

    /// Whether the script of updates also applies to undeletes.
    public func undeletesByUpdate(_ table: Identifier) -> Bool { entries[table]?.table.undeletesByUpdate ?? false }

    /// Runs a script.
    public func run(_ call: ScriptedCall) async -> ScriptEnd {
        guard let entry = entries[call.table.name] else { return .failed(detail: "there is no script") }
        let generation = entry.table.generation
        let request = call.request
        let query = ScriptQuery(call.operation == .read && call.id == nil ? request : nil)
        let name = ScriptCallName(
            script: "\(entry.table.file(of: call.operation.rawValue)) (\(call.operation.rawValue))",
            request: request?.http.fields["X-Request-Id"])
        let task = Self.task(call, entry.table, query)
        let answer = { @Sendable (ask: ScriptAsk) async -> ScriptReply in
            guard case .execute(let asked) = ask.kind else {
                return await services.reply(to: ask, call.tables, for: generation, by: call.caller)
            }
            let change: ScriptedChange
            do throws(ScriptAnswerFault) {
                change = try Self.change(asked, query, of: call, for: generation)
            } catch {
                return .failed(AskFailure(.bad, 400, error.text, for: generation))
            }
            return switch await call.execute(change) {
            case .row(let row): .row(row, generation)
            case .rows(let rows, let count): .rows(rows, count: count, generation)
            case .failed(let failure): .failed(AskFailure(failure, for: generation))
            }
        }
        let end =
            if let serving = request?.http.passage?.call as? MiddlewareChain.Serving {
                await serving.run(task, answer)
            } else {
                await host.call(task, named: name, by: ScriptCaller.key(call.caller, request), answer)
            }
        if case .answered(let answer) = end, !call.isAside {
            if case .http(let status, let body) = answer.kind {
                request?.answerFields.choose(Self.response(status, answer.fields, body ?? []))
            } else {
                for field in answer.fields { request?.answerFields.add(field.name, field.value) }
            }
        }
        return Self.end(end, query, name, of: call, for: generation)
    }

    private static func task(_ call: ScriptedCall, _ table: ScriptedTable, _ query: ScriptQuery) -> ScriptTask {
        // In the spelling of the table's columns; otherwise a script would not find them by name.
        func spelled(_ name: String) -> String { Identifier(name).flatMap { call.table.column($0) }?.name.text ?? name }
        var item: [Property]?
        if call.operation == .insert || call.operation == .update {
            item = Record(call.item).properties.map { Property(spelled($0.name), $0.value) }
        }
        return ScriptTask(
            kind: .table(
                TableTask(
                    table: table.name, operation: call.operation, script: table.generation,
                    id: call.operation == .insert ? nil : call.id, version: call.version, item: item,
                    nested: (call.request?.nestedMembers?.all ?? []).map { JSONMember(spelled($0.name), $0.value) },
                    query: call.operation == .read && call.id == nil ? query : nil, isAside: call.isAside)),
            caller: call.caller, request: call.request, tables: table.generation == .v2 ? call.tables.names : [])
    }

    private static func change(
        _ asked: AskedChange, _ query: ScriptQuery, of call: ScriptedCall, for generation: ScriptGeneration
    ) throws(ScriptAnswerFault) -> ScriptedChange {
        var change = ScriptedChange()
        guard let values = asked.set else {
            throw ScriptAnswerFault(text: "A property holds an object or an array, which a column can't hold.")
        }
        change.values = values.map { generation.typed(Property(generation.column(ofName: $0.name), $0.value)) }
        change.removed = asked.unset.map(generation.column(ofName:))
        let touched = Set((change.values.map(\.name) + change.removed).map { ExactText($0.lowercased()) })
        // A read that is asked beside a write has nothing to do with the body.
        if call.operation != .read,
            let left = call.request?.nestedMembers?.all.first(where: {
                !touched.contains(ExactText($0.name.lowercased()))
            })
        {
            throw ScriptAnswerFault(
                text: "The property '\(left.name)' holds an object or an array, which a column can't hold.")
        }
        change.id = asked.rowID
        if change.id == nil, let id = Record(values).id {
            change.id = id
            call.request?.answerFields.choose(id)
        }
        change.version = asked.version
        do throws(QueryError) {
            change.query = try query.change(to: asked.query)
        } catch {
            throw ScriptAnswerFault(
                text: "a script's query can't be read: \(error.option): \(error.reason.words { $0 })")
        }
        return change
    }

    private static func end(
        _ end: ScriptHost.CallEnd, _ query: ScriptQuery, _ name: ScriptCallName, of call: ScriptedCall,
        for generation: ScriptGeneration
    ) -> ScriptEnd {
        switch end {
        case .tooLong: return .failed(detail: "\(name.script) took longer than scripts.timeSeconds")
        case .lost(let reason): return .failed(detail: "\(name.script): its worker ended: \(reason)")
        case .busy(let reason): return .busy(detail: reason)
        case .answered(let answer): return Self.end(answer, query, name, of: call, for: generation)
        }
    }

    private static func end(
        _ answer: ScriptAnswer, _ query: ScriptQuery, _ name: ScriptCallName, of call: ScriptedCall,
        for generation: ScriptGeneration
    ) -> ScriptEnd {
        switch answer.kind {
        case .execute(let asked):
            do throws(ScriptAnswerFault) {
                return .execute(try change(asked, query, of: call, for: generation))
            } catch {
                return .refused(Refusal(.badRequest, generation.words(error.text)))
            }
        case .result: return .executed
        // The client has it already, or gets it as the script wrote it.
        case .own, .http: return .answered(ScriptedAnswer(nil, nil))
        case .unchanged(let execution): return .passed(execution: execution)
        case .value(let status, let body, let count):
            // What fails is answered as it is, whatever it looks like.
            let isRows = (status?.rawValue ?? 200) < 300
            let isToServices = (call.request?.generation ?? "v1") == "v1"
            let rows =
                isRows
                ? body.map { generation.columns(ofRows: $0, of: call.table, toServices: isToServices) } : body
            return .answered(ScriptedAnswer(status, rows, count: count))
        case .error(_, _, body: _, isMissing: true) where call.operation == .read: return .answered(.missing)
        case .error(let status, let message, let body, isMissing: _):
            let status = status ?? .internalServerError
            if let body { return .answered(ScriptedAnswer(status, body)) }
            return .refused(Refusal(status, message ?? status.reasonPhrase))
        case .failed, .unanswered: return .failed(detail: ScriptAnswerFault.words(of: answer, in: name))
        }
    }

    /// Returns what a script wrote itself, to the last byte.
    private static func response(
        _ status: HTTPStatus?, _ set: [(name: String, value: String)], _ body: [UInt8]
    ) -> HTTPResponse {
        var fields = HTTPFields()
        for (name, value) in set {
            guard let name = HTTPFieldName(name), !name.framesMessages else { continue }
            fields.append(named: name, value)
        }
        var response = HTTPResponse(status ?? .internalServerError, fields: fields, body: body)
        if response.status.rawValue >= 400 { response.reason = "the table's script answered so" }
        return response
    }

}

/// Something in a script's answer that isn't possible.
struct ScriptAnswerFault: Error {
    let text: String

    /// Describes how a script failed, for the log.
    static func words(of answer: ScriptAnswer, in name: ScriptCallName) -> String {
        let (text, place): (String, String?) =
            switch answer.kind {
            case .failed(let text, let place): (text, place)
            case .error(_, let message, body: _, isMissing: _): (message ?? "no answer", nil)
            default: ("no answer", nil)
            }
        return "\(name.script)\(place.map { " at \($0)" } ?? ""): \(text)"
    }
}
