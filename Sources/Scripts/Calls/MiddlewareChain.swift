import JSONText
import Synchronization

/// A request on its way through a project's own application: the operations that the server comes to by it have their
/// scripts run in the same call, among what stands around them.
public final class MiddlewareChain: Sendable {
    /// What the server does right now because the chain has asked for it.
    struct Serving: Sendable {
        let chain: MiddlewareChain
        /// The number of what was asked, in the call.
        let number: Int64
    }

    /// nil where no chain has asked for what this task does.
    @TaskLocal static var serving: Serving?

    /// Does what a script asks of its own operation.
    typealias Answer = @Sendable (JSONValue) async -> JSONValue

    private struct Operation {
        let answer: Answer
        let ended: AsyncStream<JSONValue>.Continuation
    }

    private struct State {
        var operations: [Int64: Operation] = [:]
        var next: Int64 = 1
        var isOver = false
        var send: (@Sendable ([JSONMember]) -> Bool)?
    }

    private let state = Mutex(State())

    /// One that nothing was asked of yet.
    init() {}

    /// Begins in a worker.
    /// - Parameter send: tells that worker something about the call.
    func begin(_ send: @escaping @Sendable ([JSONMember]) -> Bool) {
        end()
        state.withLock { state in
            state.isOver = false
            state.send = send
        }
    }

    /// Nobody waits any more: what is under way has no end. What scripts still ask for is done.
    func end() {
        let operations = state.withLock { state in
            state.isOver = true
            return state.operations
        }
        for operation in operations.values { operation.ended.finish() }
    }

    /// Has the script of an operation run.
    /// - Parameter answer: does what it asks of its own operation.
    func run(
        _ message: [JSONMember], askedBy number: Int64, _ answer: @escaping Answer
    ) async -> ScriptHost.CallEnd {
        let (ends, ended) = AsyncStream.makeStream(of: JSONValue.self, bufferingPolicy: .bufferingOldest(1))
        let begun = state.withLock { state -> (Int64, @Sendable ([JSONMember]) -> Bool)? in
            guard !state.isOver, let send = state.send else { return nil }
            defer { state.next += 1 }
            state.operations[state.next] = Operation(answer: answer, ended: ended)
            return (state.next, send)
        }
        guard let (operation, send) = begun,
            send([JSONMember("k", .integer(number)), JSONMember("op", .integer(operation))] + message)
        else { return .lost("the request is over") }
        for await end in ends { return .answered(end) }
        return .lost("the request was answered before its operation came to an end")
    }

    /// Takes what a worker says of an operation.
    /// - Returns: nil where it says nothing of one; without a reply where it needs none.
    func take(_ ask: JSONValue) async -> JSONValue?? {
        guard let number = ask["op"]?.integerValue else { return nil }
        let operation = state.withLock { $0.operations[number] }
        guard let operation else {
            return .some(ScriptValues.failure("bad", 400, "there is no such operation under way"))
        }
        guard ask["do"]?.textValue != "operated" else {
            operation.ended.yield(ask["answer"] ?? .null)
            return .some(nil)
        }
        return .some(await operation.answer(ask))
    }
}
