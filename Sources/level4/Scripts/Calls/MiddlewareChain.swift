import Synchronization

/// A request on its way through a project's own application. Where this leads to table operations on the server, their
/// scripts run within the same call, surrounded by the application's middleware.
public final class MiddlewareChain: Sendable {
    /// The chain's call that a request is part of which the server answers for it.
    struct Serving: Sendable {
        /// Weak, as the chain keeps what answers its operations, and with it their requests, of which this is a part. The
        /// call keeps the chain for as long as scripts may ask.
        weak let chain: MiddlewareChain?
        /// The number of the ask within the call.
        let number: Int64

        /// Runs the script of an operation within the call.
        func run(_ task: ScriptTask, _ answer: @escaping Answer) async -> ScriptHost.CallEnd {
            await chain?.run(task, askedBy: number, answer) ?? MiddlewareChain.over
        }
    }

    /// Answers an ask of a script about its own operation.
    typealias Answer = @Sendable (ScriptAsk) async -> ScriptReply

    /// Sends a worker the script of an operation, with the number of the ask that led to it and its own number.
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

    /// Creates a chain that has asked for nothing yet.
    init() {}

    /// Starts the chain in a worker.
    func begin(_ send: @escaping Send) {
        end()
        state.withLock { state in
            state.isOver = false
            state.send = send
        }
    }

    /// Ends the chain when its caller no longer waits: scripts in progress get no end. What they still ask for is done.
    func end() {
        let operations = state.withLock { state in
            state.isOver = true
            return state.operations
        }
        for operation in operations.values { operation.news.end(Self.unended) }
    }

    /// Runs the script of an operation.
    /// - Parameter answer: answers the script's asks about its own operation.
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
        guard let (operation, send) = begun, send(number, operation, task) else { return Self.over }
        return await news.end() ?? Self.unended
    }

    private static let over = ScriptHost.CallEnd.lost("the request is over")
    private static let unended = ScriptHost.CallEnd.lost("the request was answered before its operation came to an end")

    /// Delivers the end of an operation's script.
    func end(_ operation: Int64, with answer: ScriptAnswer) {
        state.withLock { $0.operations[operation] }?.news.end(.answered(answer))
    }

    /// Answers an ask by the script of an operation.
    func answer(_ ask: ScriptAsk, of operation: Int64) async -> ScriptReply {
        guard let operation = state.withLock({ $0.operations[operation] }) else {
            return .failed(AskFailure(.bad, 400, "there is no such operation under way"))
        }
        return await operation.answer(ask)
    }
}
