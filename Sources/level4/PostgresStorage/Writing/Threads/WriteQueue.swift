import Dispatch
import Synchronization
import TableSQL
import Tables

/// The waiting writes, and the threads that wait for them. `WriteSchedule` decides what comes next.
final class WriteQueue: Sendable {
    typealias Schedule = WriteSchedule<PostgresPendingWrite, WriteTransaction>

    private let schedule: Mutex<Schedule>
    private let wake = DispatchSemaphore(value: 0)

    /// - Parameters:
    ///   - patience: how long a write waits before it is refused.
    ///   - threads: the number of threads.
    init(patience: Duration, threads: Int) {
        schedule = Mutex(Schedule(patience: patience, threads: threads))
    }

    /// Queues a write, or refuses it if the queue is closed.
    func push(_ write: PostgresPendingWrite) {
        perform(schedule.withLock { $0.add(write, to: write.write.table, at: .now) })
    }

    /// Reports that a thread has started, which will take work.
    func arrive() { schedule.withLock { $0.arrive() } }

    /// Waits for work, which has to be given back by `finish`.
    /// - Returns: nil if the queue is closed and empty.
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

    /// Takes back the rest of a table's work.
    func finish(_ work: Schedule.Work, _ rest: Schedule.Rest) {
        perform(schedule.withLock { $0.finish(work, rest, at: .now) })
    }

    /// The number of waiting writes.
    var waitingCount: Int { schedule.withLock { $0.waitingCount } }

    /// Accepts no more writes; the waiting ones are still handed out.
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
