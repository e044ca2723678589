/// The classes of bytes in the grammar of a head.
enum ByteClass {
    static let lineFeed: UInt8 = 10
    static let carriageReturn: UInt8 = 13
    static let blank: UInt8 = 32
    static let tab: UInt8 = 9
    static let colon = UInt8(ascii: ":")

    /// A character of a method or of a field name (RFC 9110 section 5.6.2).
    @inline(__always)
    static func isToken(_ byte: UInt8) -> Bool {
        // One bit a character: 64 low ones and 64 high ones.
        if byte < 64 { return 0x03FF_6CFA_0000_0000 as UInt64 >> byte & 1 == 1 }
        if byte < 128 { return 0x57FF_FFFF_C7FF_FFFE as UInt64 >> (byte - 64) & 1 == 1 }
        return false
    }

    /// Whether a field value holds no control character, the tab excepted (RFC 9110 section 5.5).
    static func isFieldValue(_ bytes: Span<UInt8>) -> Bool {
        unsafe bytes.withUnsafeBufferPointer { bytes in
            // Without a branch, so that the compiler checks many bytes at a time: tokens are long.
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

    /// A byte of a request target. Bytes from 0x80 on are not URL characters, but clients send raw UTF-8.
    @inline(__always)
    static func isTarget(_ byte: UInt8) -> Bool {
        byte > 32 && byte != 127
    }

    @inline(__always)
    static func isBlank(_ byte: UInt8) -> Bool {
        byte == blank || byte == tab
    }

    /// Compares with a name in lower case, without regard to the case of the bytes.
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
