import MetricSeries
import Tables

/// The loop of one table's thread: takes notices out and sends each until it is accepted or given up.
struct WebhookWorker: Sendable {
    let table: Identifier
    let webhook: CurrentWebhook
    let queue: DeliveryQueue
    let rules: DeliveryRules
    let product: String
    let counts: NoticeCounts
    let report: @Sendable (WebhookEvent) -> Void

    func run() {
        while let delivery = queue.next() { deliver(delivery) }
    }

    private func deliver(_ delivery: Delivery) {
        for attempt in 1...max(rules.attempts, 1) {
            switch outcome(of: delivery) {
            case .taken:
                counts.sent.increment()
                return
            case .refused(let reason):
                counts.failed.increment()
                counts.lost.increment()
                report(.givenUp(table: table, reason: reason))
                return
            case .failed(let reason):
                counts.failed.increment()
                // When the server stops, there is no time to wait for a receiver that is down.
                guard attempt < rules.attempts, queue.pause(for: rules.pause(after: attempt)) else {
                    counts.lost.increment()
                    report(.givenUp(table: table, reason: reason))
                    return
                }
                if attempt == 1 { report(.postponed(table: table, reason: reason)) }
            }
        }
    }

    private enum Outcome {
        case taken
        /// Another attempt would not help.
        case refused(String)
        case failed(String)
    }

    private func outcome(of delivery: Delivery) -> Outcome {
        let webhook = webhook.value
        let address = webhook.address
        let request = delivery.request(to: webhook, product: product)
        do throws(PlainHTTP.Fault) {
            let status = try PlainHTTP.send(request, to: address.host, port: address.port, patience: rules.patience)
            return switch Int(status.prefix(3)) ?? 0 {
            case 200...299: .taken
            case 408, 425, 429, 500...599: .failed("\(address.authority) answered \(status)")
            default: .refused("\(address.authority) answered \(status)")
            }
        } catch {
            return switch error {
            case .unreachable: .failed("\(address.authority) can't be reached")
            case .noAnswer: .failed("\(address.authority) does not answer")
            }
        }
    }
}

/// Counts what became of notices.
struct NoticeCounts: Sendable {
    let sent: Counter
    let lost: Counter
    /// Failed attempts, of which a notice may have several.
    let failed: Counter

    init(_ metrics: MetricRegistry) {
        sent = metrics.counter("zumod_webhook_notices_sent_total")
        lost = metrics.counter("zumod_webhook_notices_lost_total")
        failed = metrics.counter("zumod_webhook_attempts_failed_total")
    }
}
