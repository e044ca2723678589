// What stands for the two types in a program that is built without OpenSSL: nobody can make one.
#if !TLS
    /// As with OpenSSL.
    public final class TLSIdentity: Sendable {
        /// As with OpenSSL.
        public let validity: ClosedRange<Int64>

        /// - Throws: always.
        public init(chain: [UInt8], key: [UInt8]) throws(TLSFault) {
            throw .notBuiltIn
        }

        /// As with OpenSSL.
        public func isFor(host: String) -> Bool { false }
    }

    /// As with OpenSSL.
    public final class TLSSession {
        /// As with OpenSSL.
        public private(set) var unsent: [UInt8] = []
        /// As with OpenSSL.
        public private(set) var producedBytes: UInt64 = 0
        /// As with OpenSSL.
        public private(set) var hasEnded = true
        /// As with OpenSSL.
        public static let recordBytes = 17 << 10

        /// - Throws: always.
        public init(_ identity: TLSIdentity) throws(TLSFault) {
            throw .notBuiltIn
        }

        /// - Throws: always.
        public init(trustingAnybody: Void) throws(TLSFault) {
            throw .notBuiltIn
        }

        /// As with OpenSSL.
        public enum Outcome {
            /// As with OpenSSL.
            case text(Int)
            /// As with OpenSSL.
            case end
            /// As with OpenSSL.
            case fault(TLSFault)
        }

        /// As with OpenSSL.
        public var isEstablished: Bool { false }
        /// As with OpenSSL.
        public var peerCertificate: [UInt8]? { nil }
        /// As with OpenSSL.
        public func decrypt(
            _ bytes: UnsafeBufferPointer<UInt8>, into text: UnsafeMutableBufferPointer<UInt8>
        ) -> Outcome { .end }
        /// As with OpenSSL.
        public func encrypt(_ text: Span<UInt8>) -> Bool { false }
        /// As with OpenSSL.
        public func greet() {}
        /// As with OpenSSL.
        public func finish() {}
        /// As with OpenSSL.
        public func didSend(_ count: Int) {}
    }
#endif
