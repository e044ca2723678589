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
    typealias Answer = @Sendable (ScriptAsk) async -> ScriptReply

    /// Has the script of an operation run, by the number of what was asked and its own.
    typealias Send = @Sendable (_ ask: Int64, _ operation: Int64, ScriptTask) -> Bool

    private struct Operation {
        let answer: Answer
        let news: CallNews<ScriptHost.CallEnd>
    }

    private struct State {
        var operations: [Int64: Operation] = [:]
        var next: Int64 = 1
        var isOver = false
        var send: Send?
    }

    private let state = Mutex(State())

    /// One that nothing was asked of yet.
    init() {}

    /// Begins in a worker.
    func begin(_ send: @escaping Send) {
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
        for operation in operations.values { operation.news.end(Self.unended) }
    }

    /// Has the script of an operation run.
    /// - Parameter answer: does what it asks of its own operation.
    func run(
        _ task: ScriptTask, askedBy number: Int64, _ answer: @escaping Answer
    ) async -> ScriptHost.CallEnd {
        let news = CallNews<ScriptHost.CallEnd>()
        let begun = state.withLock { state -> (Int64, Send)? in
            guard !state.isOver, let send = state.send else { return nil }
            defer { state.next += 1 }
            state.operations[state.next] = Operation(answer: answer, news: news)
            return (state.next, send)
        }
        guard let (operation, send) = begun, send(number, operation, task) else { return .lost("the request is over") }
        return await news.end() ?? Self.unended
    }

    private static let unended = ScriptHost.CallEnd.lost("the request was answered before its operation came to an end")

    /// Takes the end of an operation's script.
    func end(_ operation: Int64, with answer: ScriptAnswer) {
        state.withLock { $0.operations[operation] }?.news.end(.answered(answer))
    }

    /// Does what the script of an operation asks.
    func answer(_ ask: ScriptAsk, of operation: Int64) async -> ScriptReply {
        guard let operation = state.withLock({ $0.operations[operation] }) else {
            return .failed(AskFailure(.bad, 400, "there is no such operation under way"))
        }
        return await operation.answer(ask)
    }
}
