internal import ByteText
internal import Cryptography

/// Lets a client carry a text that only this server can have made, for one purpose.
///
/// The text is readable, but can't be changed, and a text sealed for another purpose doesn't open.
public struct TextSeal: Sendable {
    private let key: MessageKey
    private let olderKeys: [MessageKey]

    /// - Parameters:
    ///   - older: keys that no longer seal, but still open what they sealed.
    ///   - purpose: the purpose of the texts.
    public init(key: SigningKey, older: [SigningKey] = [], purpose: String) {
        func derived(_ key: SigningKey) -> MessageKey {
            MessageKey(key.signature(of: Array("zumod seal for \(purpose)".utf8), .sha256).span, .sha256)
        }
        self.key = derived(key)
        olderKeys = older.map(derived)
    }

    /// Returns the text with its seal, in characters that a URL can hold.
    public func seal(_ text: String) -> String {
        let sealed = Base64.url(text.utf8)
        return "\(sealed).\(Base64.url(key.code(of: sealed.utf8Span.span)))"
    }

    /// Returns a stand-in for a text that should not be readable: it is the same for equal texts, and without the key
    /// the text can't be found by guessing.
    public func mark(of text: String) -> String {
        key.code(of: text.utf8Span.span).prefix(8).hexText
    }

    /// Returns the sealed text; nil if this seal didn't seal it.
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
    /// Returns the challenge for a verifier.
    public static func text(of verifier: String) -> String {
        Base64.url(Digest.sha256(verifier.utf8Span.span))
    }

    /// Normalizes a challenge from a client to the form of `text(of:)`: from that form, or from the padded Base64 with
    /// `+` and `/` that the libraries of .NET, Android and iOS send, in which a blank is an unencoded `+`.
    /// - Returns: nil if it isn't a digest.
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
