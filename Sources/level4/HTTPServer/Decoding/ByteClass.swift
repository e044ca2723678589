/// The classes of bytes in the grammar of a head.
enum ByteClass {
    static let lineFeed: UInt8 = 10
    static let carriageReturn: UInt8 = 13
    static let blank: UInt8 = 32
    static let tab: UInt8 = 9
    static let colon = UInt8(ascii: ":")

    /// Whether the byte may occur in a method or field name (RFC 9110 section 5.6.2).
    @inline(__always)
    static func isToken(_ byte: UInt8) -> Bool {
        // One bit per character, in two halves of 64.
        if byte < 64 { return 0x03FF_6CFA_0000_0000 as UInt64 >> byte & 1 == 1 }
        if byte < 128 { return 0x57FF_FFFF_C7FF_FFFE as UInt64 >> (byte - 64) & 1 == 1 }
        return false
    }

    /// Whether a field value has no control characters other than tabs (RFC 9110 section 5.5).
    static func isFieldValue(_ bytes: Span<UInt8>) -> Bool {
        unsafe bytes.withUnsafeBufferPointer { bytes in
            // Branch-free, so that the compiler can vectorize it: tokens are long.
            var faults: UInt8 = 0
            for index in 0..<bytes.count {
                let byte = unsafe bytes[index]
                let isControl: UInt8 = byte < 32 ? 1 : 0
                let isTab: UInt8 = byte == tab ? 1 : 0
                let isDelete: UInt8 = byte == 127 ? 1 : 0
                faults |= (isControl ^ isTab) | isDelete
            }
            return faults == 0
        }
    }

    /// Whether the byte may occur in a request target. URLs have no bytes from 0x80 on, but clients send raw UTF-8.
    @inline(__always)
    static func isTarget(_ byte: UInt8) -> Bool {
        byte > 32 && byte != 127
    }

    @inline(__always)
    static func isBlank(_ byte: UInt8) -> Bool {
        byte == blank || byte == tab
    }

    /// Compares bytes with a name in lower case, ignoring case.
    static func equals(_ bytes: Span<UInt8>, ignoringCase name: StaticString) -> Bool {
        guard bytes.count == name.utf8CodeUnitCount else { return false }
        return name.withUTF8Buffer { wanted in
            for index in 0..<bytes.count {
                let byte = bytes[index]
                let lower = byte >= 65 && byte <= 90 ? byte | 32 : byte
                if unsafe lower != wanted[index] { return false }
            }
            return true
        }
    }
}
