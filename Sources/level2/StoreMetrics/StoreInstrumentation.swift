public import MetricSeries

/// A store's metrics and the log of its statements. Measuring never blocks.
public final class StoreInstrumentation: Sendable {
    /// The queues for a store's threads.
    public enum Queue: Int, Sendable, CaseIterable {
        case reads, lists, writes

        /// The name in labels.
        public var name: String { "\(self)" }
    }

    private let log: (any StatementLog)?
    private let statements: [Durations]
    private let waits: [Durations]
    private let refusals: [Counter]
    private let commits: Counter
    private let committedWrites: Counter
    private let failedCommits: Counter
    private let repeats: Counter

    /// - Parameters:
    ///   - metrics: the registry for the metrics.
    ///   - log: is told about statements; nil for none.
    public init(_ metrics: MetricRegistry = MetricRegistry(), log: (any StatementLog)? = nil) {
        self.log = log
        statements = StatementKind.allCases.map {
            metrics.durations("zumod_statement_duration_seconds", [("operation", $0.name)])
        }
        waits = Queue.allCases.map {
            metrics.durations("zumod_queue_wait_seconds", [("queue", $0.name)])
        }
        refusals = Queue.allCases.map {
            metrics.counter("zumod_queue_refused_total", [("queue", $0.name)])
        }
        commits = metrics.counter("zumod_commits_total")
        committedWrites = metrics.counter("zumod_committed_writes_total")
        failedCommits = metrics.counter("zumod_commits_failed_total")
        repeats = metrics.counter("zumod_repeated_writes_total")
    }

    /// Records a finished statement.
    /// - Parameters:
    ///   - sql: the text, without values.
    ///   - plan: returns the database's plan; nil if it has none.
    public func ran(
        _ kind: StatementKind, took nanoseconds: Int64, _ sql: @autoclosure () -> String, plan: () -> String?
    ) {
        statements[kind.rawValue].record(nanoseconds: nanoseconds)
        if let log, nanoseconds >= log.threshold { log.tell(sql(), took: nanoseconds, plan: plan) }
    }

    /// Records the end of a wait for a thread.
    public func waited(for queue: Queue, _ time: Duration) {
        waited(for: queue, nanoseconds: time.wholeNanoseconds)
    }

    /// Records a wait measured without a `Duration`, whose arithmetic uses 128 bits.
    public func waited(for queue: Queue, nanoseconds: Int64) {
        waits[queue.rawValue].record(nanoseconds: nanoseconds)
    }

    /// Records work that was refused, because too much was waiting or it waited too long.
    public func refused(_ queue: Queue) {
        refusals[queue.rawValue].increment()
    }

    /// Records a commit.
    public func committed(writes count: Int) {
        commits.increment()
        committedWrites.increment(by: count)
    }

    /// Records a failed commit, or a transaction that never reached it.
    public func failedToCommit() {
        failedCommits.increment()
    }

    /// Records a write that was answered from its receipt.
    public func answeredRepeat() {
        repeats.increment()
    }
}

extension Duration {
    /// The duration in whole nanoseconds, truncated.
    public var wholeNanoseconds: Int64 {
        components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
    }
}
