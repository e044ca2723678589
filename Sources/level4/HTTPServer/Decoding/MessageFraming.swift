internal import HTTPModel

/// What the header fields say about the message itself: its body, connection and expectation.
struct MessageFraming {
    enum Body: Equatable {
        case none
        case length(Int)
        case chunked
    }

    private(set) var wantsClose = false
    private(set) var wantsKeepAlive = false
    private(set) var expectsContinue = false
    private var contentLength: Int?
    private var isChunked = false
    private var hostCount = 0

    /// Records a field if it affects the framing.
    mutating func note(name: Span<UInt8>, value: Span<UInt8>) throws(HTTPFault) {
        switch name.count {
        case 4 where ByteClass.equals(name, ignoringCase: "host"): try noteHost(value)
        case 6 where ByteClass.equals(name, ignoringCase: "expect"): try noteExpectation(value)
        case 10 where ByteClass.equals(name, ignoringCase: "connection"): noteConnection(value)
        case 14 where ByteClass.equals(name, ignoringCase: "content-length"): try noteLength(value)
        case 17 where ByteClass.equals(name, ignoringCase: "transfer-encoding"): try noteCoding(value)
        default: break
        }
    }

    /// Determines the body's framing once the head is complete.
    func body(minorVersion: Int, limit: Int) throws(HTTPFault) -> Body {
        // RFC 9112 section 3.2.
        if hostCount > 1 || (hostCount == 0 && minorVersion > 0) {
            throw .malformed("A request needs exactly one Host field.")
        }
        if isChunked {
            // RFC 9112 section 6.1: such a message may be an attempt to smuggle a request.
            guard contentLength == nil else { throw .malformed("Both Content-Length and Transfer-Encoding are given.") }
            guard minorVersion > 0 else { throw .malformed("HTTP/1.0 knows no Transfer-Encoding.") }
            return .chunked
        }
        guard let contentLength, contentLength > 0 else { return .none }
        guard contentLength <= limit else { throw .bodyTooLarge(limit: limit) }
        return .length(contentLength)
    }

    private mutating func noteHost(_ value: Span<UInt8>) throws(HTTPFault) {
        hostCount += 1
        for index in 0..<value.count {
            switch value[index] {
            case ByteClass.blank, ByteClass.tab, UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"),
                UInt8(ascii: "@"), UInt8(ascii: "\\"), UInt8(ascii: ","), UInt8(ascii: "\""):
                throw .malformed("The Host field is not a host.")
            default: continue
            }
        }
    }

    private mutating func noteExpectation(_ value: Span<UInt8>) throws(HTTPFault) {
        guard ByteClass.equals(value, ignoringCase: "100-continue") else {
            throw .unmetExpectation(Self.text(value))
        }
        expectsContinue = true
    }

    private mutating func noteConnection(_ value: Span<UInt8>) {
        Self.forEachMember(of: value) { option in
            if ByteClass.equals(option, ignoringCase: "close") { wantsClose = true }
            if ByteClass.equals(option, ignoringCase: "keep-alive") { wantsKeepAlive = true }
        }
    }

    private mutating func noteLength(_ value: Span<UInt8>) throws(HTTPFault) {
        guard value.count > 0 else { throw .malformed("Content-Length is empty.") }
        var length = 0
        for index in 0..<value.count {
            guard value[index] >= 48, value[index] <= 57 else {
                throw .malformed("Content-Length is not a number.")
            }
            // Beyond this, the number exceeds every limit and further digits don't matter.
            if length < Int.max / 16 { length = length * 10 + Int(value[index] - 48) }
        }
        guard contentLength == nil || contentLength == length else {
            throw .malformed("Content-Length is given twice and differs.")
        }
        contentLength = length
    }

    private mutating func noteCoding(_ value: Span<UInt8>) throws(HTTPFault) {
        guard !isChunked else { throw .malformed("Transfer-Encoding is given after the chunked coding.") }
        var last = false
        var other: String?
        var members = 0
        Self.forEachMember(of: value) { coding in
            members += 1
            last = ByteClass.equals(coding, ignoringCase: "chunked")
            if !last { other = other ?? Self.text(coding) }
        }
        if let other { throw .unsupportedCoding(other) }
        guard last, members == 1 else { throw .malformed("Transfer-Encoding is empty or repeats the chunked coding.") }
        isChunked = true
    }

    /// Visits the members of a comma-separated list (RFC 9110 section 5.6.1), skipping empty ones.
    private static func forEachMember(of list: Span<UInt8>, _ visit: (Span<UInt8>) -> Void) {
        var start = 0
        while start < list.count {
            var end = start
            while end < list.count, list[end] != UInt8(ascii: ",") { end += 1 }
            var last = end
            while start < last, ByteClass.isBlank(list[start]) { start += 1 }
            while last > start, ByteClass.isBlank(list[last - 1]) { last -= 1 }
            if start < last { visit(list.extracting(start..<last)) }
            start = end + 1
        }
    }

    private static func text(_ bytes: Span<UInt8>) -> String {
        unsafe bytes.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
    }
}
