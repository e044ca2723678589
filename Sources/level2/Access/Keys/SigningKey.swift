internal import ByteText
internal import Cryptography

/// The key of HMAC tokens, as App Service knows it: `WEBSITE_AUTH_SIGNING_KEY`, or the Node server's `auth.secret`.
///
/// Printing a key only shows its form and length.
public struct SigningKey: Sendable, CustomStringConvertible, CustomReflectable {
    /// How a configured text was read.
    public enum Form: String, Sendable {
        case hexadecimal, base64, text
        /// Not configured as such, but derived: from a v1 master key, or for scripts.
        case derived
    }

    /// How the configured text was read.
    public let form: Form
    /// The length in bytes. RFC 7518 requires at least 32; shorter keys can be guessed from a single token.
    public let byteCount: Int
    private let keys: MessageKeys

    /// The minimum length in bytes of a key for HS256.
    public static let recommendedByteCount = 32

    /// Reads a configured key: as hexadecimal if it consists of an even number of hexadecimal digits, otherwise as
    /// Base64 (padded, with `+` and `/`) if it is valid, otherwise as its own UTF-8 bytes.
    ///
    /// The order is .NET's. A short word may happen to be valid Base64 (`password`) or hexadecimal (`cafe`) and then
    /// isn't read as text, so that tokens signed with the text elsewhere fail; `form` says how it was read. A key of 32
    /// random bytes in hexadecimal, as App Service provides it, is never ambiguous.
    public init(_ configured: String) throws(KeyFault) {
        try checkKeyText(configured)
        guard !PublicKeyText.isOne(configured) else { throw .publicKey }
        let text = Array(configured.utf8)
        if let bytes = [UInt8](hexDigits: text) {
            try self.init(bytes, .hexadecimal)
        } else if let bytes = Base64.decode(text, .standard) {
            try self.init(bytes, .base64)
        } else {
            try self.init(text, .text)
        }
    }

    /// Reads a configured key whose form is stated, so that it can't be misread: hexadecimal digits as text, as the
    /// Node server read them, are a different key than the bytes that they represent.
    public init(_ configured: String, as form: SaidForm) throws(KeyFault) {
        try checkKeyText(configured)
        guard !PublicKeyText.isOne(configured) else { throw .publicKey }
        switch form {
        case .text: try self.init(Array(configured.utf8), .text)
        case .hex:
            guard let bytes = [UInt8](hexDigits: Array(configured.utf8)) else { throw .notHexadecimal }
            try self.init(bytes, .hexadecimal)
        case .base64:
            // In either alphabet, padded or not.
            let digits = configured.utf8.map { $0 == UInt8(ascii: "+") ? 0x2D : $0 == UInt8(ascii: "/") ? 0x5F : $0 }
            let bare = digits.prefix { $0 != UInt8(ascii: "=") }
            guard digits[bare.endIndex...].allSatisfy({ $0 == UInt8(ascii: "=") }),
                let bytes = Base64.decode(bare, .url)
            else { throw .notBase64 }
            try self.init(bytes, .base64)
        }
    }

    /// The forms that an operator can state.
    public enum SaidForm: String, Sendable, CaseIterable {
        case text, hex, base64
    }

    /// Derives the key of v1 tokens: the SHA-256 of the master key followed by `JWTSig`.
    public static func derived(fromMasterKey masterKey: String) throws(KeyFault) -> SigningKey {
        try checkKeyText(masterKey)
        return try SigningKey(Digest.sha256((masterKey + "JWTSig").utf8Span.span), .derived)
    }

    init(_ bytes: [UInt8], _ form: Form) throws(KeyFault) {
        guard !PublicKeyText.isOne(bytes) else { throw .publicKey }
        guard bytes.contains(where: { $0 != 0 }) else { throw .allZero }
        self.form = form
        self.byteCount = bytes.count
        self.keys = MessageKeys(bytes)
    }

    /// The algorithm that the .NET server signs with: longer keys use longer hashes.
    var preferredHash: HMACHash {
        if byteCount > 48 { .sha512 } else if byteCount > 32 { .sha384 } else { .sha256 }
    }

    func signature(of message: [UInt8], _ hash: HMACHash) -> [UInt8] {
        keys[hash].code(of: message.span)
    }

    /// Verifies a signature in constant time.
    func isValid(_ signature: [UInt8], for message: [UInt8], _ hash: HMACHash) -> Bool {
        keys[hash].isCode(signature.span, of: message.span)
    }

    /// The form and length, but nothing about the key itself.
    public var description: String { "SigningKey(\(form.rawValue), \(byteCount) bytes)" }

    /// Empty, to hide the key.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The key for each hash, in one object so that copying a signing key retains a single reference.
private final class MessageKeys: Sendable {
    private let sha256: MessageKey
    private let sha384: MessageKey
    private let sha512: MessageKey

    init(_ key: [UInt8]) {
        sha256 = MessageKey(key.span, .sha256)
        sha384 = MessageKey(key.span, .sha384)
        sha512 = MessageKey(key.span, .sha512)
    }

    subscript(hash: HMACHash) -> MessageKey {
        switch hash {
        case .sha256: sha256
        case .sha384: sha384
        case .sha512: sha512
        }
    }
}
