import HTTPModel
import Synchronization
import TableOperations

/// What a call asks of the server, one thing after the other: a script that asks for thousands at once takes no more of the
/// store than another. It goes on after the answer, as a script may send a notice a second later.
final class ScriptAskQueue: Sendable {
    /// What a worker says of a call before its end.
    enum Entry: Sendable {
        case ask(ScriptAsk)
        case operated(Int64, ScriptAnswer)
    }

    private enum Phase {
        case idle
        /// Something is asked, and somebody has been told to see to it.
        case asked
        case working
    }

    private struct State {
        /// What was asked, and how much of that is begun: thousands are not moved up one by one.
        var waiting: [Entry] = []
        var begun = 0
        var phase = Phase.idle
        /// Whether nobody waits for the call any more.
        var isLeft = false
        /// Whether nobody wants it any more.
        var isGivenUp = false
        var call = 0
    }

    private let state = Mutex(State())
    private let worker: ScriptWorker
    private let chain: MiddlewareChain?
    private let threads: HandlerThreads
    private let answer: ScriptHost.Answer
    private let trace = TraceParent.current

    init(
        of worker: ScriptWorker, _ chain: MiddlewareChain?, on threads: HandlerThreads,
        _ answer: @escaping ScriptHost.Answer
    ) {
        self.worker = worker
        self.chain = chain
        self.threads = threads
        self.answer = answer
    }

    /// Takes what a worker says.
    /// - Returns: whether whoever waits for the call has to begin the work: a call that asks for nothing has no task.
    func add(_ entry: Entry, of call: Int) -> Bool {
        // Behind nothing else, the end of an operation needs no thread.
        if case .operated(let operation, let end) = entry, state.withLock({ $0.phase == .idle }) {
            chain?.end(operation, with: end)
            return false
        }
        let (isNew, isLeft) = state.withLock { state in
            state.call = call
            state.waiting.append(entry)
            guard state.phase == .idle else { return (false, false) }
            state.phase = .asked
            return (true, state.isLeft)
        }
        if isLeft { TraceParent.$current.withValue(trace) { begin() } }
        return isNew && !isLeft
    }

    /// Begins what was asked, at once and on this thread.
    func begin() {
        let isAsked = state.withLock { state in
            guard state.phase == .asked else { return false }
            state.phase = .working
            return true
        }
        if isAsked { Task.immediate(executorPreference: threads) { await self.work() } }
    }

    /// Nobody waits for the call any more.
    func leave() {
        state.withLock { $0.isLeft = true }
        begin()
    }

    /// Nobody wants the call any more: what it has asked and isn't begun, is not done.
    func giveUp() { state.withLock { $0.isGivenUp = true } }

    private func work() async {
        while let (entry, call) = next() {
            switch entry {
            case .operated(let operation, let end): chain?.end(operation, with: end)
            case .ask(let ask):
                // What is asked by the operations of a served request is done meanwhile.
                if case .serve = ask.kind {
                    Task.immediate(executorPreference: threads) { await self.reply(to: ask, of: call) }
                } else {
                    await reply(to: ask, of: call)
                }
            }
        }
    }

    private func next() -> (Entry, Int)? {
        state.withLock { state in
            guard !state.isGivenUp, state.begun < state.waiting.count else {
                state.waiting = []
                state.begun = 0
                state.phase = .idle
                return nil
            }
            let entry = state.waiting[state.begun]
            state.begun += 1
            if state.begun >= 1024, state.begun * 2 >= state.waiting.count {
                state.waiting.removeFirst(state.begun)
                state.begun = 0
            }
            return (entry, state.call)
        }
    }

    private func reply(to ask: ScriptAsk, of call: Int) async {
        let reply =
            if let operation = ask.operation, let chain {
                await chain.answer(ask, of: operation)
            } else {
                await answer(ask)
            }
        guard !worker.send(.reply(call: call, ask: ask.number, reply)) else { return }
        let failure = AskFailure(.store, 500, "the answer is too large for the script")
        worker.send(.reply(call: call, ask: ask.number, .failed(failure)))
    }
}
