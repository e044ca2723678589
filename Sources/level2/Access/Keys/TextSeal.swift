internal import ByteText
internal import Cryptography

/// Lets a client carry a text that only this server can have made, for one purpose.
///
/// Whoever has the text can read but not change it, and a text sealed for another purpose doesn't open.
public struct TextSeal: Sendable {
    private let key: MessageKey
    private let olderKeys: [MessageKey]

    /// - Parameters:
    ///   - older: keys that no longer seal anything, but still open what they sealed.
    ///   - purpose: what the texts are for.
    public init(key: SigningKey, older: [SigningKey] = [], purpose: String) {
        func derived(_ key: SigningKey) -> MessageKey {
            MessageKey(key.signature(of: Array("zumod seal for \(purpose)".utf8), .sha256).span, .sha256)
        }
        self.key = derived(key)
        olderKeys = older.map(derived)
    }

    /// The text with its seal, of characters that a URL can hold.
    public func seal(_ text: String) -> String {
        let sealed = Base64.url(text.utf8)
        return "\(sealed).\(Base64.url(key.code(of: sealed.utf8Span.span)))"
    }

    /// A stand-in for a text that should not be readable: the same for the same text, and without the key nobody can
    /// find the text by trying.
    public func mark(of text: String) -> String {
        key.code(of: text.utf8Span.span).prefix(8).hexText
    }

    /// The text that was sealed; nil where this seal never closed it.
    public func open(_ sealed: String) -> String? {
        let parts = sealed.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 2, let code = Base64.decode(parts[1], .url),
            ([key] + olderKeys).contains(where: { $0.isCode(code.span, of: Array(parts[0]).span) }),
            let text = Base64.decode(parts[0], .url)
        else { return nil }
        return String(validating: text, as: UTF8.self)
    }
}

/// The S256 transformation of PKCE (RFC 7636 section 4.2).
public enum CodeChallenge {
    /// What a verifier's challenge is.
    public static func text(of verifier: String) -> String {
        Base64.url(Digest.sha256(verifier.utf8Span.span))
    }

    /// A challenge as a client sent it, in the form of `text(of:)`: the standard's, or the padded Base64 with `+` and
    /// `/` that the libraries of .NET, Android and iOS send, in which a blank is a `+` that wasn't encoded.
    /// - Returns: nil for what isn't a digest.
    public static func canonical(_ challenge: String) -> String? {
        var digits = Array(challenge.utf8)
        if digits.count == 44, digits.last == UInt8(ascii: "=") { digits.removeLast() }
        digits = digits.map {
            switch $0 {
            case UInt8(ascii: "+"), UInt8(ascii: " "): UInt8(ascii: "-")
            case UInt8(ascii: "/"): UInt8(ascii: "_")
            default: $0
            }
        }
        guard digits.count == 43, Base64.decode(digits, .url) != nil else { return nil }
        return String(decoding: digits, as: UTF8.self)
    }
}
