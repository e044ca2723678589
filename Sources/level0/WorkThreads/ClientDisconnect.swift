import Synchronization

/// Whether the client that asked has disconnected, so that work for it is pointless. Reported by whatever reads its
/// connection.
public final class ClientDisconnect: Sendable {
    /// The one for the connection whose request is being answered; nil for the server's own work.
    @TaskLocal public static var current: ClientDisconnect?

    private let flag = Atomic(false)

    /// Of a client that is there.
    public init() {}

    /// Whether the client is gone.
    public var hasCome: Bool { flag.load(ordering: .relaxed) }

    /// Says that the client is gone.
    public func come() {
        flag.store(true, ordering: .relaxed)
    }

    /// Says that a client which had closed one side of its connection is still owed an answer.
    public func takeBack() {
        flag.store(false, ordering: .relaxed)
    }
}
