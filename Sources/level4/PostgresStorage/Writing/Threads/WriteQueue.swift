import Dispatch
import Synchronization
import TableSQL
import Tables

/// The writes that wait, and the threads that wait for them. `WriteSchedule` says who goes next.
final class WriteQueue: Sendable {
    typealias Schedule = WriteSchedule<PendingWrite, WriteTransaction>

    private let schedule: Mutex<Schedule>
    private let wake = DispatchSemaphore(value: 0)

    /// - Parameters:
    ///   - patience: how long a write waits before it is refused.
    ///   - threads: how many take work.
    init(patience: Duration, threads: Int) {
        schedule = Mutex(Schedule(patience: patience, threads: threads))
    }

    /// Queues a write, or refuses it where the queue is closed.
    func push(_ write: PendingWrite) {
        perform(schedule.withLock { $0.add(write, to: write.write.table, at: .now) })
    }

    /// Says that a thread is there, which will take work.
    func arrive() { schedule.withLock { $0.arrive() } }

    /// Waits for work, to be given back by `finish`.
    /// - Returns: nil where the queue is closed and nothing waits.
    func take() -> Schedule.Work? {
        while true {
            switch schedule.withLock({ $0.next() }) {
            case .work(let work): return work
            case .wait: wake.wait()
            case .end(let others):
                for _ in 0..<others { wake.signal() }
                return nil
            }
        }
    }

    /// Takes back what is left of a table's work.
    func finish(_ work: Schedule.Work, _ rest: Schedule.Rest) {
        perform(schedule.withLock { $0.finish(work, rest, at: .now) })
    }

    /// How many writes wait.
    var waitingCount: Int { schedule.withLock { $0.waitingCount } }

    /// Takes no more writes; those that wait are still handed out.
    func close() {
        perform(schedule.withLock { $0.close() })
    }

    private func perform(_ actions: Schedule.Actions) {
        for _ in 0..<actions.wakes { wake.signal() }
        if let timer = actions.timer {
            DispatchQueue.global().asyncAfter(deadline: timer.dispatchTime) { [weak self] in
                guard let self else { return }
                perform(schedule.withLock { $0.tick(timer, at: .now) })
            }
        }
        for (write, reason) in actions.refused { write.refuse(reason) }
    }
}
