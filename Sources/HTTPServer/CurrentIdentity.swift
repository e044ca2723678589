internal import Synchronization
internal import TLS

/// Who the server is, as it stands now; nobody where it speaks plain HTTP.
final class CurrentIdentity: Sendable {
    private let identity: Mutex<TLSIdentity?>

    init(_ identity: TLSIdentity?) {
        self.identity = Mutex(identity)
    }

    func replace(with newer: TLSIdentity) {
        identity.withLock { $0 = newer }
    }

    /// Begins a connection's session.
    /// - Returns: nil where it speaks plain HTTP.
    func begin() throws(TLSFault) -> TLSSession? {
        guard let identity = identity.withLock({ $0 }) else { return nil }
        return try TLSSession(identity)
    }
}
