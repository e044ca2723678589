import ByteText

/// Percent-encoding of URLs (RFC 3986 section 2.1).
public enum PercentEncoding {
    /// Decodes part of a URL.
    /// - Parameter plusIsBlank: whether `+` is a blank, as the original servers read it in queries.
    public static func decode(
        _ bytes: ArraySlice<UInt8>, plusIsBlank: Bool
    ) throws(RequestTarget.Fault) -> String {
        try decode(bytes.span, plusIsBlank: plusIsBlank)
    }

    static func decode(
        _ bytes: Span<UInt8>, plusIsBlank: Bool, takesNUL: Bool = false
    ) throws(RequestTarget.Fault) -> String {
        if isPlain(bytes, plusIsBlank: plusIsBlank) {
            return unsafe bytes.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
        }
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            switch byte {
            case UInt8(ascii: "%"):
                guard index + 2 < bytes.count, let high = HexDigit.value(of: bytes[index + 1]),
                    let low = HexDigit.value(of: bytes[index + 2])
                else { throw .percentEncoding }
                decoded.append(high << 4 | low)
                index += 3
                continue
            case UInt8(ascii: "+") where plusIsBlank: decoded.append(32)
            default: decoded.append(byte)
            }
            index += 1
        }
        guard takesNUL || !decoded.contains(0) else { throw .nul }
        guard let text = String(strictly: decoded.span) else { throw .encoding }
        return text
    }

    /// Returns whether no byte is encoded, as in most names and many values.
    private static func isPlain(_ bytes: Span<UInt8>, plusIsBlank: Bool) -> Bool {
        for index in 0..<bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "%") || byte >= 128 || byte == 0 { return false }
            if byte == UInt8(ascii: "+"), plusIsBlank { return false }
        }
        return true
    }

    /// Encodes text as a path segment or a query parameter: everything except unreserved characters and those in
    /// `keeping`.
    public static func encode(_ text: String, keeping extra: StaticString = "", into output: inout [UInt8]) {
        for byte in text.utf8 {
            if isUnreserved(byte) || extra.withUTF8Buffer({ unsafe $0.contains(byte) }) {
                output.append(byte)
            } else {
                output.append(UInt8(ascii: "%"))
                output.append(HexDigit.upperCase(byte >> 4))
                output.append(HexDigit.upperCase(byte & 15))
            }
        }
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case 48...57, 65...90, 97...122, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
