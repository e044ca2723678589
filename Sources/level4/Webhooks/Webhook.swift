import Synchronization
public import Tables

/// A receiver of notices about a table's writes.
public struct Webhook: Sendable, Equatable {
    /// The address to which notices are sent.
    public var address: HTTPAddress
    /// The kinds of writes that are reported.
    public var operations: Set<Operation>
    /// The key that notices are signed with; nil for no signature.
    public var secret: WebhookSecret?

    /// Creates a webhook, by default for all kinds of writes.
    public init(
        _ address: HTTPAddress, operations: Set<Operation> = [.insert, .update, .delete, .undelete],
        secret: WebhookSecret? = nil
    ) {
        self.address = address
        self.operations = operations
        self.secret = secret
    }
}

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
