import JSONText

/// A message of the server to a worker. `Worker/messages.json` names the members of all messages, and tests compare
/// both sides with it.
enum ServerMessage: Sendable {
    /// Read the scripts of a folder.
    case load(ScriptProject, tokenKey: String?, reports: Bool)
    /// Give a sign of life.
    case ping
    /// Run a script. The number of the call is added once it is known.
    case call(ScriptTask)
    /// Run the script of an operation that the server performs because of an ask of the call.
    case operate(call: Int, ask: Int64, operation: Int64, ScriptTask)
    /// The reply to an ask of a call.
    case reply(call: Int, ask: Int64, ScriptReply)
    /// A call was given up.
    case cancel(call: Int)
    /// End the worker.
    case end

    /// The message as JSON, preceded by its length.
    var frame: [UInt8] {
        var json = JSONWriter(capacity: 512)
        json.raw("\u{0}\u{0}\u{0}\u{0}{")
        switch self {
        case .load(let project, let tokenKey, let reports):
            json.member("t", text: "load")
            json.member("form", text: project.form.rawValue)
            json.member("root", text: project.root)
            json.member("marks", flag: true)
            json.member("reports", flag: reports)
            if let tokenKey, project.form != .service { json.member("tokenKey", text: tokenKey) }
        case .ping: json.member("t", text: "ping")
        case .call(let task):
            json.member("t", text: "call")
            task.write(to: &json)
        case .operate(let call, let ask, let operation, let task):
            json.member("t", text: "operate")
            json.member("id", number: Int64(call))
            json.member("k", number: ask)
            json.member("op", number: operation)
            task.writeOperation(to: &json)
        case .reply(let call, let ask, let reply):
            json.member("t", text: "reply")
            json.member("id", number: Int64(call))
            json.member("k", number: ask)
            reply.write(to: &json)
        case .cancel(let call):
            json.member("t", text: "cancel")
            json.member("id", number: Int64(call))
        case .end: json.member("t", text: "end")
        }
        json.raw("}")
        return MessageFrames.closed(json.bytes)
    }
}
