public import TableOperations
public import Tables

import class Foundation.Thread

/// Tells webhooks of writes: one thread and one queue for each table, so that a receiver that is away holds up no other,
/// and the notices of one table go out one after the other.
///
/// Notices are kept in memory only. Those that wait when the process dies are lost.
public final class WebhookSender: WriteNotices {
    private struct Line: Sendable {
        let webhook: Webhook
        let queue: DeliveryQueue
        let end: ThreadEnd
    }

    private let lines: [Identifier: Line]
    private let rules: DeliveryRules
    private let product: String
    private let clock: Clock
    private let report: @Sendable (WebhookEvent) -> Void

    /// Starts the threads.
    /// - Parameters:
    ///   - product: the name and version for `User-Agent`.
    ///   - report: told of what goes wrong; it is called on the threads of callers and on those of this sender.
    public init(
        _ webhooks: [Identifier: Webhook], rules: DeliveryRules = DeliveryRules(), product: String,
        clock: @escaping Clock = SystemClock.now, report: @escaping @Sendable (WebhookEvent) -> Void
    ) {
        self.rules = rules
        self.product = product
        self.clock = clock
        self.report = report
        lines = webhooks.mapValues { Line(webhook: $0, queue: DeliveryQueue(rules), end: ThreadEnd()) }
        for (table, line) in lines {
            let courier = Courier(
                table: table, webhook: line.webhook, queue: line.queue, rules: rules, product: product, report: report)
            let thread = Thread {
                courier.run()
                line.end.come()
            }
            thread.name = "zumod-webhook"
            thread.start()
        }
    }

    deinit {
        for line in lines.values { line.queue.close(within: .zero) }
    }

    /// Whether the table has a webhook for such writes.
    public func wants(_ operation: Operation, of table: Identifier) -> Bool {
        lines[table]?.webhook.operations.contains(operation) ?? false
    }

    /// Puts a notice in its table's queue.
    public func take(_ notice: WriteNotice) {
        guard let line = lines[notice.table] else { return }
        if line.queue.push(Delivery(notice, at: clock())) == .overflow { report(.full(table: notice.table)) }
    }

    /// Takes no more notices, and returns when those that wait went out or their time is over.
    public func close() async {
        for line in lines.values { line.queue.close(within: rules.farewell) }
        let deadline = ContinuousClock.now + rules.farewell
        for (table, line) in lines {
            let hasEnded = await line.end.wait(until: deadline)
            let left = line.queue.count
            if !hasEnded || left > 0 { report(.unsent(table: table, count: max(left, 1))) }
        }
    }
}
