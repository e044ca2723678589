internal import HTTPModel

/// The first line of a request (RFC 9112 section 3).
struct RequestLine {
    var method: HTTPMethod
    var target: [UInt8]
    /// The minor version of HTTP/1: 0 or 1. Higher ones are answered as HTTP/1.1 (RFC 9110 section 2.5).
    var minorVersion: Int

    /// Parses a line without its line ending: three parts separated by exactly one space each.
    init(_ line: Span<UInt8>) throws(HTTPFault) {
        var index = 0
        while index < line.count, ByteClass.isToken(line[index]) { index += 1 }
        guard index > 0, index < line.count, line[index] == ByteClass.blank else {
            throw .malformed("The method is not a token followed by one blank.")
        }
        method = Self.method(line.extracting(0..<index))

        let start = index + 1
        index = start
        while index < line.count, ByteClass.isTarget(line[index]) { index += 1 }
        guard index > start, index < line.count, line[index] == ByteClass.blank else {
            throw .malformed("The request target is empty, holds a blank or control character, or lacks a version.")
        }
        target = unsafe line.extracting(start..<index).withUnsafeBufferPointer { unsafe Array($0) }
        minorVersion = try Self.minorVersion(line.extracting((index + 1)..<line.count))
    }

    /// Whether the target is not a path: a complete URL as clients send it to a proxy, or one the server doesn't know.
    var isAbsolute: Bool { target.first != UInt8(ascii: "/") }

    /// The host and port of a target that is an absolute URL; otherwise nil.
    var authority: String? {
        guard isAbsolute, let colon = target.firstIndex(of: UInt8(ascii: ":")),
            target[(colon + 1)...].starts(with: "//".utf8)
        else { return nil }
        let rest = target[(colon + 3)...]
        let end = rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
        return String(decoding: rest[..<(end ?? rest.endIndex)], as: UTF8.self)
    }

    private static func method(_ name: Span<UInt8>) -> HTTPMethod {
        unsafe name.withUnsafeBufferPointer { unsafe HTTPMethod(String(decoding: $0, as: UTF8.self)) }
    }

    private static func minorVersion(_ text: Span<UInt8>) throws(HTTPFault) -> Int {
        let pattern: StaticString = "HTTP/0.0"
        let shaped = pattern.withUTF8Buffer { pattern in
            guard text.count == pattern.count else { return false }
            for index in 0..<text.count {
                let wanted = unsafe pattern[index]
                let isDigit = text[index] >= 48 && text[index] <= 57
                if wanted == 48 ? !isDigit : text[index] != wanted { return false }
            }
            return true
        }
        guard shaped else { throw .malformed("The request line does not end in an HTTP version.") }
        guard text[5] == UInt8(ascii: "1") else { throw .unsupportedVersion }
        return text[7] == UInt8(ascii: "0") ? 0 : 1
    }
}
