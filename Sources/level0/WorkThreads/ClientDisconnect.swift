import Synchronization

/// Whether the client that sent a request has disconnected, so that work for it is pointless. Reported by the reader of
/// its connection.
public final class ClientDisconnect: Sendable {
    /// The one for the connection whose request is being answered; nil for the server's own work.
    @TaskLocal public static var current: ClientDisconnect?

    private let flag = Atomic(false)

    /// Creates the state of a connected client.
    public init() {}

    /// Whether the client has disconnected.
    public var hasCome: Bool { flag.load(ordering: .relaxed) }

    /// Records that the client has disconnected.
    public func come() {
        flag.store(true, ordering: .relaxed)
    }

    /// Records that a client which only closed its sending side still expects an answer.
    public func takeBack() {
        flag.store(false, ordering: .relaxed)
    }
}
