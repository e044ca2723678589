import JSONText
import TableOperations
import Tables

/// What a worker says. `Worker/messages.json` names the members of all messages, and tests compare both sides with it.
enum WorkerMessage: Sendable {
    /// It reads a file.
    case reading(file: String)
    /// It has read the scripts; what they serve, and the same in its own words.
    case loaded(ScriptInventory, JSONValue)
    /// A sign of life.
    case pong
    /// A line for the log.
    case log(call: Int?, ScriptLogLine.Level, String)
    /// An error was left to nobody.
    case broken(stack: String)
    /// A call was not begun, since another worker does it.
    case skipped(call: Int)
    /// A call asks for something.
    case ask(call: Int, ScriptAsk)
    /// The script of an operation that the server has come to is done.
    case operated(call: Int, operation: Int64, ScriptAnswer)
    /// A call is done.
    case done(call: Int, ScriptAnswer)

    /// - Returns: nil for what is no message, such as what a script may write into its worker's socket.
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

/// What a script wants of the server.
struct ScriptAsk: Sendable {
    /// What it wants.
    enum Kind: Sendable {
        /// Its own operation done.
        case execute(AskedChange)
        /// Something of a table.
        case table(AskedRows)
        case sql(String, parameters: JSONValue)
        /// A message sent to devices.
        case push(service: String, message: JSONValue)
        /// The rest of its request answered.
        case serve(AskedRequest)
        /// Nothing that the server knows. It is answered all the same, or the script would wait for its time to end.
        case unknown
    }

    /// Counts what the call asks for, from 1.
    let number: Int64
    /// The operation whose script it is, where the server has come to that by the call.
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

/// What a script makes of its operation.
struct AskedChange: Sendable {
    /// What is written beside what the client sent or in its place; nil where no column can hold it.
    let set: [Property]?
    /// The names of what isn't written.
    let unset: [String]
    /// Another row.
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

/// What a script asks of a table beside its own operation.
struct AskedRows: Sendable {
    enum Operation: String, Sendable, CaseIterable {
        case read, insert, update, delete, undelete, truncate
    }

    let operation: Operation
    let table: String
    let rowID: String?
    let version: String?
    /// nil where no column can hold it.
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

/// A query in its parts, as a script has it.
struct AskedQuery: Sendable {
    /// The condition that the client sent, or what the script has put in its place.
    let own: String?
    /// What has to be true beside it.
    let added: [String]
    let order: String?
    let skip: Int64?
    let top: Int64?
    let select: String?
    let wantsCount: Bool?
    let includesDeleted: Bool?
    /// Whether a list goes on behind its limit.
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

/// What is left of a request where an application has come to a table or an API.
struct AskedRequest: Sendable {
    let method: String
    let url: String
    /// The fields that have other values than those that came.
    let set: [JSONMember]
    /// The names of those that are gone.
    let gone: [String]
    /// nil for what came.
    let body: String?
    /// Who asks, where the application has found that out; null for nobody, nil where it leaves that to the server.
    let user: JSONValue?
    /// Whether somebody wants to see what is answered.
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

    /// The columns of an object.
    /// - Returns: nil where one of them is an array or an object, which no column holds.
    fileprivate func properties(_ name: String) -> [Property]? { Record(json: members(name))?.properties }
}
