internal import ByteText
internal import Cryptography

/// The key of HMAC tokens, as App Service knows it: `WEBSITE_AUTH_SIGNING_KEY`, or the Node server's `auth.secret`.
///
/// Printing a key shows its length only.
public struct SigningKey: Sendable, CustomStringConvertible, CustomReflectable {
    /// How a configured text was read.
    public enum Form: String, Sendable {
        case hexadecimal, base64, text
        /// Not configured as such, but derived from a v1 master key, or for scripts.
        case derived
    }

    /// How the configured text was read.
    public let form: Form
    /// The length of the key. RFC 7518 asks for 32 at least; shorter ones can be guessed from a single token.
    public let byteCount: Int
    private let keys: MessageKeys

    /// The length from which a key is long enough for HS256, in bytes.
    public static let recommendedByteCount = 32

    /// Reads a configured key: bytes in hexadecimal if it consists of an even number of hexadecimal digits; otherwise
    /// bytes in base64 (padded, `+` and `/`) if it is that; otherwise its own UTF-8 bytes.
    ///
    /// The order is .NET's. A short word may happen to be valid base64 (`password`) or hexadecimal (`cafe`) and is then
    /// not read as text, so that tokens signed with the text elsewhere fail; `form` says how it was read. A key of 32
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

    /// Reads a configured key whose form is stated, so that it can't be mistaken: a text of hexadecimal digits, as the
    /// Node server read them, is a different key than the bytes they stand for.
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

    /// The forms that an operator can say.
    public enum SaidForm: String, Sendable, CaseIterable {
        case text, hex, base64
    }

    /// The key of v1 tokens: the SHA-256 of the master key with `JWTSig` after it.
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

    /// The algorithm that the .NET server signs with: the hash grows with the key.
    var preferredHash: HMACHash {
        if byteCount > 48 { .sha512 } else if byteCount > 32 { .sha384 } else { .sha256 }
    }

    func signature(of message: [UInt8], _ hash: HMACHash) -> [UInt8] {
        keys[hash].code(of: message.span)
    }

    /// Checks a signature in constant time.
    func isValid(_ signature: [UInt8], for message: [UInt8], _ hash: HMACHash) -> Bool {
        keys[hash].isCode(signature.span, of: message.span)
    }

    /// The length and form, nothing of the key.
    public var description: String { "SigningKey(\(form.rawValue), \(byteCount) bytes)" }

    /// Nothing of the key.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The key for each hash: in one object, so that copying a signing key counts one reference.
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
