import Synchronization

/// A table's current webhook.
final class CurrentWebhook: Sendable {
    private let webhook: Mutex<Webhook>

    init(_ webhook: Webhook) {
        self.webhook = Mutex(webhook)
    }

    var value: Webhook { webhook.withLock { $0 } }

    func replace(with other: Webhook) {
        webhook.withLock { $0 = other }
    }
}
