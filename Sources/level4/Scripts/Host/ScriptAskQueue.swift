import HTTPModel
import Synchronization
import TableOperations

/// Handles the asks of a call one after another: a script that asks for thousands of things at once takes no more of
/// the store than another. It continues after the answer, as a script may send a notice a second later.
final class ScriptAskQueue: Sendable {
    /// A message of a worker about a call before its end.
    enum Entry: Sendable {
        case ask(ScriptAsk)
        case operated(Int64, ScriptAnswer)
    }

    private enum Phase {
        case idle
        /// Something was asked, and a task has been told to handle it.
        case asked
        case working
    }

    private struct State {
        /// The asks, and how many of them have begun: an index, so that thousands aren't moved up one by one.
        var waiting: [Entry] = []
        var begun = 0
        var phase = Phase.idle
        /// Whether no task waits for the call any more.
        var isLeft = false
        /// Whether the call was given up.
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

    /// Adds a message of the worker.
    /// - Returns: whether the task waiting for the call has to call `begin`: a call that asks for nothing has no task.
    func add(_ entry: Entry, of call: Int) -> Bool {
        // If nothing is before it, the end of an operation needs no thread.
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

    /// Starts handling asks, at once and on this thread.
    func begin() {
        let isAsked = state.withLock { state in
            guard state.phase == .asked else { return false }
            state.phase = .working
            return true
        }
        if isAsked { Task.immediate(executorPreference: threads) { await self.work() } }
    }

    /// Records that no task waits for the call any more.
    func leave() {
        state.withLock { $0.isLeft = true }
        begin()
    }

    /// Gives the call up: asks that have not begun are dropped.
    func giveUp() { state.withLock { $0.isGivenUp = true } }

    private func work() async {
        while let (entry, call) = next() {
            switch entry {
            case .operated(let operation, let end): chain?.end(operation, with: end)
            case .ask(let ask):
                // The operations of the served request may ask for things in the meantime.
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
