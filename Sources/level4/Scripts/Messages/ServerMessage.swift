import JSONText

/// What the server says to a worker. `Worker/messages.json` names the members of all messages, and tests compare both sides
/// with it.
enum ServerMessage: Sendable {
    /// It is to read the scripts of a folder.
    case load(ScriptProject, tokenKey: String?, reports: Bool)
    /// It is to give a sign of life.
    case ping
    /// It is to run a script. The number of the call is added once that is known.
    case call(ScriptTask)
    /// It is to run the script of an operation that the server has come to by what a call has asked.
    case operate(call: Int, ask: Int64, operation: Int64, ScriptTask)
    /// What a call has asked is answered.
    case reply(call: Int, ask: Int64, ScriptReply)
    /// Nobody wants a call any more.
    case cancel(call: Int)
    /// It is to end.
    case end

    /// Its JSON with its length before it.
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
