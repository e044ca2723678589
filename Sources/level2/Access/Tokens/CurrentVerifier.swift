import Synchronization

/// The current verifier, which is replaced when keys change while the server runs.
public final class CurrentVerifier: Sendable {
    private let verifier: Mutex<TokenVerifier>

    /// Starts with a verifier.
    public init(_ verifier: TokenVerifier) {
        self.verifier = Mutex(verifier)
    }

    /// The verifier for the next token.
    public var current: TokenVerifier {
        verifier.withLock { $0 }
    }

    /// Replaces the verifier.
    public func replace(with newer: TokenVerifier) {
        verifier.withLock { $0 = newer }
    }
}
