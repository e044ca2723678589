import JSONText
import TableOperations
import Tables

/// A message of a worker. `Worker/messages.json` names the members of all messages, and tests compare both with it.
enum WorkerMessage: Sendable {
    /// The worker is reading a file.
    case reading(file: String)
    /// The worker has read the scripts: what they define, parsed and as the worker sent it.
    case loaded(ScriptInventory, JSONValue)
    /// A sign of life.
    case pong
    /// A line for the log.
    case log(call: Int?, ScriptLogLine.Level, String)
    /// An error that no code handled.
    case broken(stack: String)
    /// A call was not started, since another worker runs it.
    case skipped(call: Int)
    /// A call asks for something.
    case ask(call: Int, ScriptAsk)
    /// The script of an operation that the server performs for a call is done.
    case operated(call: Int, operation: Int64, ScriptAnswer)
    /// A call is done.
    case done(call: Int, ScriptAnswer)

    /// - Returns: nil if it isn't a message, as scripts may write to their worker's socket.
    init?(_ json: JSONValue) {
        let call = json["id"]?.integerValue.map { Int($0) }
        switch (json["t"]?.textValue, call) {
        case ("reading", _): self = .reading(file: json.text("file"))
        case ("loaded", _): self = .loaded(ScriptInventory(json), json)
        case ("pong", _): self = .pong
        case ("log", _):
            self = .log(call: call, ScriptLogLine.Level(rawValue: json.text("level")) ?? .info, json.text("text"))
        case ("broken", _): self = .broken(stack: json.text("stack"))
        case ("skipped", let call?): self = .skipped(call: call)
        case ("ask", let call?):
            self = .ask(call: call, ScriptAsk(json))
        case ("operated", let call?):
            self = .operated(
                call: call, operation: json["op"]?.integerValue ?? 0, ScriptAnswer(json["answer"] ?? .null))
        case ("done", let call?): self = .done(call: call, ScriptAnswer(json["answer"] ?? .null))
        default: return nil
        }
    }
}

/// Something that a script asks of the server.
struct ScriptAsk: Sendable {
    /// The kind of ask.
    enum Kind: Sendable {
        /// To perform its own operation.
        case execute(AskedChange)
        /// To read or write rows of a table.
        case table(AskedRows)
        case sql(String, parameters: JSONValue)
        /// To send a push message to devices.
        case push(service: String, message: JSONValue)
        /// To answer the rest of its request.
        case serve(AskedRequest)
        /// Unknown to the server. It gets a reply all the same, or the script would wait until its time is over.
        case unknown
    }

    /// The number of the ask within the call, from 1.
    let number: Int64
    /// The operation whose script asks, if the server performs one for the call.
    let operation: Int64?
    let kind: Kind

    fileprivate init(_ json: JSONValue) {
        number = json["k"]?.integerValue ?? 0
        operation = json["op"]?.integerValue
        switch json["do"]?.textValue {
        case "execute": kind = .execute(AskedChange(json))
        case "table": kind = AskedRows(json).map(Kind.table) ?? .unknown
        case "sql": kind = .sql(json.text("sql"), parameters: json["parameters"] ?? .null)
        case "push": kind = .push(service: json.text("service"), message: json["message"] ?? .null)
        case "serve": kind = .serve(AskedRequest(json))
        default: kind = .unknown
        }
    }
}

/// A script's changes to its operation.
struct AskedChange: Sendable {
    /// Values written in addition to, or instead of, the client's; nil if no column can hold one of them.
    let set: [Property]?
    /// The names of values that are not written.
    let unset: [String]
    /// The id of another row.
    let rowID: String?
    let version: ScriptedChange.VersionDemand?
    let query: AskedQuery?

    init(_ json: JSONValue) {
        set = json.properties("set")
        unset = json.texts("unset")
        rowID = json.id("rowID")
        version =
            switch json["version"] {
            case .string(let text)?: .version(text)
            case .null?: .any
            default: nil
            }
        query = AskedQuery(json["query"])
    }
}

/// An ask about the rows of a table, outside the script's own operation.
struct AskedRows: Sendable {
    enum Operation: String, Sendable, CaseIterable {
        case read, insert, update, delete, undelete, truncate
    }

    let operation: Operation
    let table: String
    let rowID: String?
    let version: String?
    /// nil if no column can hold one of the values.
    let item: [Property]?
    let query: AskedQuery?

    fileprivate init?(_ json: JSONValue) {
        guard let operation = Operation(rawValue: json.text("operation")) else { return nil }
        self.operation = operation
        table = json.text("table")
        rowID = json.id("rowID")
        version = json["version"]?.textValue
        item = json.properties("item")
        query = AskedQuery(json["query"])
    }
}

/// The parts of a query, as a script has them.
struct AskedQuery: Sendable {
    /// The client's condition, or the one that the script replaced it with.
    let own: String?
    /// Further conditions.
    let added: [String]
    let order: String?
    let skip: Int64?
    let top: Int64?
    let select: String?
    let wantsCount: Bool?
    let includesDeleted: Bool?
    /// Whether a list continues after its limit.
    let goesOn: Bool

    fileprivate init?(_ json: JSONValue?) {
        guard let json, case .object = json else { return nil }
        own = json["own"]?.textValue
        added = json.texts("added")
        order = json["orderby"]?.textValue
        skip = json["skip"]?.integerValue
        top = json["top"]?.integerValue
        select = json["select"]?.textValue
        wantsCount = json["count"]?.booleanValue
        includesDeleted = json["includeDeleted"]?.booleanValue
        goesOn = json["goesOn"]?.booleanValue ?? false
    }
}

/// The rest of a request, when an application reaches a table or an API.
struct AskedRequest: Sendable {
    let method: String
    let url: String
    /// The fields whose values differ from those that were received.
    let set: [JSONMember]
    /// The names of removed fields.
    let gone: [String]
    /// nil for the body that was received.
    let body: String?
    /// The caller, if the application has identified one; null for anonymous, nil to leave it to the server.
    let user: JSONValue?
    /// Whether the body of the response is wanted.
    let wantsBody: Bool

    fileprivate init(_ json: JSONValue) {
        method = json.text("method")
        url = json.text("url")
        set = json.members("set")
        gone = json.texts("gone")
        body = json["body"]?.textValue
        user = json["user"]
        wantsBody = json["wantsBody"]?.booleanValue ?? false
    }
}

extension JSONValue {
    func text(_ name: String) -> String { self[name]?.textValue ?? "" }

    func all(_ name: String) -> [JSONValue] { self[name]?.elements ?? [] }
    func texts(_ name: String) -> [String] { all(name).compactMap(\.textValue) }

    func id(_ name: String) -> String? { self[name].flatMap { $0.textValue ?? $0.integerValue.map { String($0) } } }

    func members(_ name: String) -> [JSONMember] {
        if case .object(let members)? = self[name] { members } else { [] }
    }

    /// Returns the columns of an object.
    /// - Returns: nil if one of them is an array or an object, which no column can hold.
    fileprivate func properties(_ name: String) -> [Property]? { Record(json: members(name))?.properties }
}
