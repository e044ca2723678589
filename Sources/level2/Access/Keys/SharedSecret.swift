internal import ByteText
internal import Cryptography

/// A key that clients send as it is: the application key or the master key.
///
/// Only its hash is kept, and printing a secret shows nothing of it.
public struct SharedSecret: Sendable, CustomStringConvertible, CustomReflectable {
    /// The length of its text.
    public let byteCount: Int
    private let digest: [UInt8]

    /// The length from which nobody finds a key by trying, in bytes.
    public static let recommendedByteCount = 16

    /// Takes a configured key.
    public init(_ text: String) throws(KeyFault) {
        try checkKeyText(text)
        byteCount = text.utf8.count
        digest = Digest.sha256(text.utf8Span.span)
    }

    /// The hash in hexadecimal digits.
    var hashText: String { digest.hexText }

    /// Compares in a time that depends on the candidate's length only: hashes of one length, all bytes of them.
    public func matches(_ candidate: String) -> Bool {
        ConstantTime.isEqual(Digest.sha256(candidate.utf8Span.span).span, digest.span)
    }

    /// Nothing of the key.
    public var description: String { "SharedSecret" }

    /// Nothing of the key.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
