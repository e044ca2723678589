public import HTTPModel
public import JSONText
public import TableOperations
public import Tables

/// The server's reply to an ask of a script.
public enum ScriptReply: Sendable {
    /// One row, or none.
    case row(Record?, ScriptGeneration)
    /// The rows of a list, and the total number.
    case rows([Record], count: Int64?, ScriptGeneration)
    /// The results of SQL.
    case results([StatementResult])
    /// The result of sending a push message.
    case pushed(JSONValue)
    /// A response, with its body if that is wanted.
    case served(HTTPStatus, HTTPFields, body: [UInt8]?)
    /// The ask failed.
    case failed(AskFailure)

    func write(to json: inout JSONWriter) {
        var dates: [String] = []
        if case .failed(let failure) = self {
            json.member("error")
            return failure.write(to: &json)
        }
        json.member("ok", flag: true)
        switch self {
        case .row(let row, let generation):
            json.member("row")
            if let row { json.scriptRow(generation.columns(of: row), &dates) } else { json.raw("null") }
            json.member("dates", texts: dates)
        case .rows(let rows, let count, let generation):
            json.member("rows")
            json.raw("[")
            for row in rows {
                json.separate()
                json.scriptRow(generation.columns(of: row), &dates)
            }
            json.raw("]")
            json.member("count", number: count)
            json.member("dates", texts: dates)
        case .results(let results):
            json.member("results")
            json.raw("[")
            for result in results { Self.write(result, to: &json) }
            json.raw("]")
        case .pushed(let result):
            json.member("result")
            json.value(result)
        case .served(let status, let fields, let body):
            json.member("status", number: Int64(status.rawValue))
            var text: [UInt8] = []
            fields.encode(into: &text)
            json.member("fields")
            json.string(text.span)
            if let body { json.member("body", base64: body) }
        case .failed: break
        }
    }

    private static func write(_ result: StatementResult, to json: inout JSONWriter) {
        var dates: [String] = []
        // A column without a name could only be accessed by position.
        let names = result.columns.enumerated().map { $1.isEmpty ? "column\($0 + 1)" : $1 }
        json.separate()
        json.raw("{")
        json.member("columns", texts: names)
        json.member("rows")
        json.raw("[")
        for row in result.rows {
            json.separate()
            json.scriptRow(zip(names, row), &dates)
        }
        json.raw("]")
        json.member("dates", texts: dates)
        json.member("affected", number: Int64(result.affected))
        json.raw("}")
    }
}

/// Why the server did not do what a script asked for.
public struct AskFailure: Sendable {
    /// The codes by which scripts distinguish failures.
    public enum Code: String, Sendable, CaseIterable {
        case bad, conflict, duplicate, missing, refused, store, tombstone, unmatched
    }

    let code: Code
    let status: Int
    let message: String
    /// The row that prevented it.
    let row: Record?
    let generation: ScriptGeneration
    /// The number of the operation's execution, by which the script may pass the failure on.
    var execution: Int?

    /// Creates a failure.
    public init(
        _ code: Code, _ status: Int, _ message: String, row: Record? = nil, for generation: ScriptGeneration = .v2
    ) {
        self.code = code
        self.status = status
        self.message = generation.words(message)
        self.row = row
        self.generation = generation
    }

    /// That of an error of the tables'.
    init(_ error: OperationError, for generation: ScriptGeneration) {
        switch error {
        case .refused(let refusal): self.init(.refused, Int(refusal.status.rawValue), refusal.text)
        case .required(let message): self.init(.bad, 400, message, for: generation)
        case .table(.query), .table(.unknownProperty), .table(.reservedProperty), .table(.invalidColumnName),
            .table(.typeMismatch), .table(.tooManyDigits), .table(.tooManyColumns), .table(.tooManyClientColumns):
            self.init(.bad, 400, ThrownError.words(error), for: generation)
        case .table(.refused(let refusal, _)): self.init(.bad, 400, refusal.sentence, for: generation)
        case .table(.outsideScope): self.init(.refused, 403, "the caller may not write this row")
        case .table(.away), .scripts: self.init(.store, 503, ThrownError.words(error))
        case .table, .hook: self.init(.store, 500, ThrownError.words(error))
        }
    }

    /// Creates a failure from that of the script's own operation.
    init(_ failure: ScriptedFailure, for generation: ScriptGeneration) {
        switch failure.kind {
        case .conflict:
            self.init(.conflict, 412, "the row has another version", row: failure.row, for: generation)
        case .duplicate: self.init(.duplicate, 409, "the id is taken", row: failure.row, for: generation)
        case .missing: self.init(.missing, 404, "The item does not exist")
        case .tombstone: self.init(.tombstone, 404, "the row is deleted", row: failure.row, for: generation)
        case .onlyAsked: self.init(.bad, 400, "the change can't be made of the row as it stands")
        case .answered(let answer): self.init(.store, 500, ThrownError.words(answer))
        case .error(let error): self.init(error, for: generation)
        }
        execution = failure.execution
    }

    fileprivate func write(to json: inout JSONWriter) {
        var dates: [String] = []
        json.raw("{")
        json.member("code", text: code.rawValue)
        json.member("status", number: Int64(status))
        json.member("message", text: message)
        if let row {
            json.member("row")
            json.scriptRow(generation.columns(of: row), &dates)
            json.member("dates", texts: dates)
        }
        json.member("execution", number: execution.map { Int64($0) })
        json.raw("}")
    }
}

extension ScriptGeneration {
    /// A row's values, its columns by the names of the script's SDK.
    fileprivate func columns(of row: Record) -> some Sequence<(String, Value)> {
        row.properties.lazy.map { (name(ofColumn: $0.name), $0.value) }
    }
}
