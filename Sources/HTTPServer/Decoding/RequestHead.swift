internal import HTTPModel

/// The head of a request as its lines come in.
struct RequestHead {
    let line: RequestLine
    private(set) var fields = HTTPFields()
    private(set) var framing = MessageFraming()

    /// - Parameter buffer: holds the request line, without its line end, at `range`.
    init(line range: Range<Int>, of buffer: [UInt8]) throws(HTTPFault) {
        line = try RequestLine(buffer.span.extracting(range))
        // Most heads come in one piece, so what follows is about their size.
        fields.reserve(fields: 12, bytes: min(buffer.count - range.upperBound, 1024))
    }

    /// - Parameter buffer: holds a field line, without its line end, at `range`.
    mutating func append(line range: Range<Int>, of buffer: [UInt8]) throws(HTTPFault) {
        let text = buffer.span.extracting(range)
        let field = try FieldLine(text)
        let name = text.extracting(field.name)
        let value = text.extracting(field.value)
        try framing.note(name: name, value: value)
        fields.append(name: name, value: value)
    }

    /// Whether the client lets the connection live on after the answer (RFC 9112 section 9.3).
    var keepsAlive: Bool {
        !framing.wantsClose && (line.minorVersion > 0 || framing.wantsKeepAlive)
    }
}
