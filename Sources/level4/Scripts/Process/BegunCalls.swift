import Platform

/// The workers that have calls to begin in this turn of an event loop. They are sent together at its end: each message
/// by itself would wake its worker anew.
final class BegunCalls: LoopIteration.Share {
    private var workers: [ScriptWorker] = []

    /// Has a worker sent what it has gathered: at the end of the turn, or at once on a thread that has none.
    static func send(of worker: ScriptWorker) {
        guard let iteration = LoopIteration.current else { return worker.sendGathered() }
        let known = iteration.shared(as: BegunCalls.self) { _ in true }
        let calls = known ?? BegunCalls()
        if !calls.workers.contains(where: { $0 === worker }) { calls.workers.append(worker) }
        if known == nil { iteration.keep(calls) }
    }

    func turnEnds() {
        for worker in workers { worker.sendGathered() }
    }
}
