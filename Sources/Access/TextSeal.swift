internal import ByteText
internal import Crypto

/// Lets a client carry a text that only this server can have made, for one purpose.
///
/// The text can be read by whoever has it, but not changed, and a text sealed for another purpose doesn't open.
public struct TextSeal: Sendable {
    private let key: SymmetricKey

    /// - Parameter purpose: what the texts are for.
    public init(key: SigningKey, purpose: String) {
        self.key = SymmetricKey(data: key.signature(of: Array("zumod seal for \(purpose)".utf8), .sha256))
    }

    /// The text with its seal, of characters that a URL can hold.
    public func seal(_ text: String) -> String {
        var sealed: [UInt8] = []
        Base64.appendURL(text.utf8, to: &sealed)
        let code = HMAC<SHA256>.authenticationCode(for: sealed, using: key)
        sealed.append(UInt8(ascii: "."))
        Base64.appendURL(Array(code), to: &sealed)
        return String(decoding: sealed, as: UTF8.self)
    }

    /// What stands for a text where the text itself is not to be read: the same for the same text, and nobody without the key
    /// finds the text by trying.
    public func mark(of text: String) -> String {
        HMAC<SHA256>.authenticationCode(for: Array(text.utf8), using: key).prefix(8).hexText
    }

    /// The text that was sealed; nil where this seal never closed it.
    public func open(_ sealed: String) -> String? {
        let parts = sealed.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 2, let code = Base64.decode(parts[1], .url),
            HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: Array(parts[0]), using: key),
            let text = Base64.decode(parts[0], .url)
        else { return nil }
        return String(validating: text, as: UTF8.self)
    }
}

/// The S256 transformation of PKCE (RFC 7636 section 4.2).
public enum CodeChallenge {
    /// What a verifier's challenge is.
    public static func text(of verifier: String) -> String {
        var text: [UInt8] = []
        Base64.appendURL(Array(SHA256.hash(data: Array(verifier.utf8))), to: &text)
        return String(decoding: text, as: UTF8.self)
    }
}
