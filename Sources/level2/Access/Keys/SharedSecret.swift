internal import ByteText
internal import Cryptography

/// A key that clients send in plain form: the application key or the master key.
///
/// Only its hash is kept, and printing a secret reveals nothing about it.
public struct SharedSecret: Sendable, CustomStringConvertible, CustomReflectable {
    /// The length of the key in bytes.
    public let byteCount: Int
    private let digest: [UInt8]

    /// The length in bytes from which a key can't be found by brute force.
    public static let recommendedByteCount = 16

    /// Creates a secret from a configured key.
    public init(_ text: String) throws(KeyFault) {
        try checkKeyText(text)
        byteCount = text.utf8.count
        digest = Digest.sha256(text.utf8Span.span)
    }

    /// The hash in hexadecimal digits.
    var hashText: String { digest.hexText }

    /// Compares hashes in constant time; the time depends only on the candidate's length.
    public func matches(_ candidate: String) -> Bool {
        ConstantTime.isEqual(Digest.sha256(candidate.utf8Span.span).span, digest.span)
    }

    /// Only the type's name.
    public var description: String { "SharedSecret" }

    /// Empty, to hide the key.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
