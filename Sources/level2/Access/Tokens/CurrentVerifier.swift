import Synchronization

/// The verifier that counts now: another one takes its place when keys change while the server runs.
public final class CurrentVerifier: Sendable {
    private let verifier: Mutex<TokenVerifier>

    /// Begins with a verifier.
    public init(_ verifier: TokenVerifier) {
        self.verifier = Mutex(verifier)
    }

    /// The verifier for the next token.
    public var current: TokenVerifier {
        verifier.withLock { $0 }
    }

    /// Lets another verifier take the place.
    public func replace(with newer: TokenVerifier) {
        verifier.withLock { $0 = newer }
    }
}
