internal import COpenSSL

/// A shared secret for authenticating messages (HMAC, RFC 2104).
///
/// Sendable unchecked: after `init` the context is only copied, which doesn't change it, and OpenSSL itself counts
/// references to shared parts.
@safe public final class MessageKey: @unchecked Sendable, Equatable {
    /// The hash for authentication codes.
    public enum Hash: Sendable {
        case sha256, sha384, sha512

        /// OpenSSL's name.
        var name: String {
            switch self {
            case .sha256: "SHA256"
            case .sha384: "SHA384"
            case .sha512: "SHA512"
            }
        }
    }

    private let context: OpaquePointer
    /// The size of a code in bytes.
    private let codeBytes: Int

    /// - Parameter key: used as it is, or hashed if it is longer than a block of the hash (RFC 2104 section 3).
    public init(_ key: Span<UInt8>, _ hash: Hash) {
        codeBytes =
            switch hash {
            case .sha256: 32
            case .sha384: 48
            case .sha512: 64
            }
        guard
            let context = unsafe key.withUnsafeBufferPointer({ key in
                unsafe zumod_mac_context(Algorithms.hmac, hash.name, key.baseAddress, key.count)
            })
        else { Algorithms.fail("take a key of message codes") }
        unsafe self.context = unsafe context
    }

    deinit {
        unsafe EVP_MAC_CTX_free(context)
    }

    /// Returns the code that proves that a message came from a holder of this key.
    public func code(of message: Span<UInt8>) -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: codeBytes) { room, count in
            unsafe write(message, to: room)
            count = codeBytes
        }
    }

    /// Returns whether a code is that of a message, in constant time.
    public func isCode(_ code: Span<UInt8>, of message: Span<UInt8>) -> Bool {
        unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: codeBytes) { room in
            unsafe write(message, to: room)
            return unsafe ConstantTime.isEqual(code, room.span)
        }
    }

    /// Compares the codes that two keys make.
    public static func == (one: MessageKey, other: MessageKey) -> Bool {
        one.isCode(other.code(of: Span()).span, of: Span())
    }

    /// Writes the code of a message to the beginning of a buffer that has room for it.
    private func write(_ message: Span<UInt8>, to room: UnsafeMutableBufferPointer<UInt8>) {
        var written = 0
        let copy = unsafe EVP_MAC_CTX_dup(context)
        defer { unsafe EVP_MAC_CTX_free(copy) }
        guard let copy = unsafe copy,
            unsafe message.withUnsafeBufferPointer({ unsafe EVP_MAC_update(copy, $0.baseAddress, $0.count) }) == 1,
            unsafe EVP_MAC_final(copy, room.baseAddress, &written, room.count) == 1, written == codeBytes
        else { Algorithms.fail("make a message code") }
    }
}
