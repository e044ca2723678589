internal import HTTPModel

/// The head of a request as its lines arrive.
struct RequestHead {
    let line: RequestLine
    private(set) var fields = HTTPFields()
    private(set) var framing = MessageFraming()

    /// - Parameter buffer: holds the request line, without its line ending, at `range`.
    init(line range: Range<Int>, of buffer: [UInt8]) throws(HTTPFault) {
        line = try RequestLine(buffer.span.extracting(range))
        // Most heads arrive in one piece, so the remaining bytes are roughly their size.
        fields.reserve(fields: 12, bytes: min(buffer.count - range.upperBound, 1024))
        if let authority = line.authority { fields.append("Host", authority) }
    }

    /// - Parameter buffer: holds a field line, without its line ending, at `range`.
    mutating func append(line range: Range<Int>, of buffer: [UInt8]) throws(HTTPFault) {
        let text = buffer.span.extracting(range)
        let field = try FieldLine(text)
        let name = text.extracting(field.name)
        let value = text.extracting(field.value)
        try framing.note(name: name, value: value)
        // The host of an absolute target takes precedence (RFC 9112 section 3.2.2).
        if line.isAbsolute, Self.isHost(name) { return }
        fields.append(name: name, value: value)
    }

    private static func isHost(_ name: Span<UInt8>) -> Bool {
        let host: StaticString = "host"
        return host.withUTF8Buffer { host in
            guard name.count == host.count else { return false }
            for index in 0..<name.count where unsafe name[index] | 0x20 != host[index] { return false }
            return true
        }
    }

    /// Whether the client wants the connection kept open after the answer (RFC 9112 section 9.3).
    var keepsAlive: Bool {
        !framing.wantsClose && (line.minorVersion > 0 || framing.wantsKeepAlive)
    }
}
