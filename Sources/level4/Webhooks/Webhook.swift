import Synchronization
public import Tables

/// Who is notified of a table's writes.
public struct Webhook: Sendable, Equatable {
    /// Where notices go.
    public var address: HTTPAddress
    /// The writes that are reported.
    public var operations: Set<Operation>
    /// What notices are signed with; nil for none.
    public var secret: WebhookSecret?

    /// Makes a webhook; without operations given, all writes are reported.
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
