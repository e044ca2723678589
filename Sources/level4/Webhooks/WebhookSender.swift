public import MetricSeries
internal import Synchronization
public import TableOperations
public import Tables
internal import WorkThreads

/// Notifies webhooks of writes, with one thread and one queue for each table: a receiver that is down doesn't delay
/// others, and the notices of a table are sent one after another.
///
/// Notices are kept only in memory. Those that are waiting when the process dies are lost.
public final class WebhookSender: WriteNotices {
    private struct Line: Sendable {
        let webhook: CurrentWebhook
        let queue: DeliveryQueue
        /// The thread that sends the notices.
        let thread: RunningThreads
    }

    private let lines: Mutex<[Identifier: Line]>
    /// The queues of removed webhooks, which still send what they had.
    private let ending = Mutex<[(table: Identifier, line: Line)]>([])
    private let rules: DeliveryRules
    private let product: String
    private let clock: Clock
    private let report: @Sendable (WebhookEvent) -> Void
    private let counts: NoticeCounts

    /// Starts the threads.
    /// - Parameters:
    ///   - product: the name and version for `User-Agent`.
    ///   - metrics: counts notices.
    ///   - report: called when something goes wrong, on the threads of callers and on those of this sender.
    public init(
        _ webhooks: [Identifier: Webhook], rules: DeliveryRules = DeliveryRules(), product: String,
        clock: @escaping Clock = SystemClock.now, metrics: MetricRegistry = MetricRegistry(),
        report: @escaping @Sendable (WebhookEvent) -> Void
    ) {
        counts = NoticeCounts(metrics)
        self.rules = rules
        self.product = product
        self.clock = clock
        self.report = report
        lines = Mutex([:])
        replace(with: webhooks)
    }

    deinit {
        for line in lines.withLock({ $0.values.map(\.self) }) { line.queue.close(within: .zero) }
    }

    /// Replaces the webhooks. A table's waiting notices go to its new webhook; if it no longer has one, they are sent
    /// as when the server stops.
    public func replace(with webhooks: [Identifier: Webhook]) {
        let gone = lines.withLock { lines in
            for (table, webhook) in webhooks {
                if let line = lines[table] {
                    line.webhook.replace(with: webhook)
                } else {
                    lines[table] = start(webhook, of: table)
                }
            }
            let gone = lines.filter { webhooks[$0.key] == nil }
            for table in gone.keys { lines[table] = nil }
            assert(Set(lines.keys) == Set(webhooks.keys), "each webhook has a thread, and nothing else has one")
            return gone
        }
        for line in gone.values { line.queue.close(within: rules.farewell) }
        ending.withLock { ending in
            ending.removeAll { $0.line.thread.haveEnded }
            ending += gone.map { (table: $0.key, line: $0.value) }
        }
    }

    private func start(_ webhook: Webhook, of table: Identifier) -> Line {
        let line = Line(webhook: CurrentWebhook(webhook), queue: DeliveryQueue(rules), thread: RunningThreads())
        let worker = WebhookWorker(
            table: table, webhook: line.webhook, queue: line.queue, rules: rules, product: product,
            counts: counts, report: report)
        line.thread.start("zumod-webhook") { worker.run() }
        return line
    }

    private func line(of table: Identifier) -> Line? {
        lines.withLock { $0[table] }
    }

    /// Whether the table has a webhook for this kind of write.
    public func wants(_ operation: Operation, of table: Identifier) -> Bool {
        line(of: table)?.webhook.value.operations.contains(operation) ?? false
    }

    /// Adds a notice to its table's queue.
    public func take(_ notice: WriteNotice) {
        guard let line = line(of: notice.table) else { return }
        let reception = line.queue.push(Delivery(notice, at: clock()))
        if reception != .taken { counts.lost.increment() }
        if reception == .overflow { report(.full(table: notice.table)) }
    }

    /// The number of waiting notices, by table.
    public var waiting: [Identifier: Int] { lines.withLock { $0.mapValues(\.queue.count) } }

    /// Accepts no more notices, and returns when the waiting ones have been sent or their time is over.
    public func close() async {
        let open = lines.withLock { lines in lines.map { (table: $0.key, line: $0.value) } }
        for (_, line) in open { line.queue.close(within: rules.farewell) }
        let deadline = ContinuousClock.now + rules.farewell
        for (table, line) in open + ending.withLock({ $0 }) {
            let hasEnded = await line.thread.ended(by: deadline)
            let left = line.queue.count
            if !hasEnded || left > 0 { report(.unsent(table: table, count: max(left, 1))) }
        }
    }
}
