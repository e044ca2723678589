public import MetricSeries

/// What a store measures about its work, and whom it tells about its statements. Measuring never waits.
public final class StoreInstrumentation: Sendable {
    /// What waits for a thread of a store.
    public enum Queue: Int, Sendable, CaseIterable {
        case reads, lists, writes

        /// The word in labels.
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
    ///   - metrics: what is counted and measured with.
    ///   - log: told about statements; nil for nobody.
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
    ///   - sql: its text, without values.
    ///   - plan: the database's plan for it; nil if it can't say.
    public func ran(
        _ kind: StatementKind, took nanoseconds: Int64, _ sql: @autoclosure () -> String, plan: () -> String?
    ) {
        statements[kind.rawValue].record(nanoseconds: nanoseconds)
        if let log, nanoseconds >= log.threshold { log.tell(sql(), took: nanoseconds, plan: plan) }
    }

    /// Takes note of the end of a wait for a thread.
    public func waited(for queue: Queue, _ time: Duration) {
        waited(for: queue, nanoseconds: time.wholeNanoseconds)
    }

    /// The same for a wait that was measured without a `Duration`, whose arithmetic uses 128 bits.
    public func waited(for queue: Queue, nanoseconds: Int64) {
        waits[queue.rawValue].record(nanoseconds: nanoseconds)
    }

    /// Takes note of work that was refused, since too much waits or it waited too long.
    public func refused(_ queue: Queue) {
        refusals[queue.rawValue].increment()
    }

    /// Takes note of a commit.
    public func committed(writes count: Int) {
        commits.increment()
        committedWrites.increment(by: count)
    }

    /// Takes note of a commit that failed, or of a transaction that never came to it.
    public func failedToCommit() {
        failedCommits.increment()
    }

    /// Takes note of a write that its receipt answered.
    public func answeredRepeat() {
        repeats.increment()
    }
}

extension Duration {
    /// The whole nanoseconds, cut.
    public var wholeNanoseconds: Int64 {
        components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
    }
}
