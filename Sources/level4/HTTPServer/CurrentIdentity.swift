internal import Synchronization
internal import TLS

/// The server's current TLS identity; none if it speaks plain HTTP.
final class CurrentIdentity: Sendable {
    private let identity: Mutex<TLSIdentity?>

    init(_ identity: TLSIdentity?) {
        self.identity = Mutex(identity)
    }

    func replace(with newer: TLSIdentity) {
        identity.withLock { $0 = newer }
    }

    /// Creates the TLS session of a connection.
    /// - Returns: nil if the server speaks plain HTTP.
    func begin() throws(TLSFault) -> TLSSession? {
        guard let identity = identity.withLock({ $0 }) else { return nil }
        return try TLSSession(identity)
    }
}
