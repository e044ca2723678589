internal import HTTPModel
internal import Platform

/// Turns the bytes of a connection into requests (RFC 9112). It has no socket: bytes go in, steps come out.
///
/// It is strict where leniency has led to request smuggling: lines end in CR LF, never in LF alone; no folded fields;
/// only one indication of a body's length. A single empty line before a request is tolerated, because some clients send
/// one after a body.
struct RequestDecoder {
    enum Step {
        case needMore
        /// The client waits for `100 Continue` before it sends the body.
        case sendContinue
        case request(DecodedRequest)
        /// Decoding has ended: it is no longer known where the next request begins.
        case fault(HTTPFault)
    }

    /// The progress of the current request, for the time limits.
    enum Progress {
        case idle, head, body
    }

    private enum State {
        case requestLine, fields
        case body(remaining: Int)
        case chunkSize
        case chunk(remaining: Int)
        case chunkEnd
        case trailers
        case failed(HTTPFault)
    }

    /// The maximum length of a chunk-size line: extensions have no meaning here.
    private static let chunkLineBytes = 1024
    /// Lines longer than this have extensions, which count towards the header section.
    private static let plainChunkLineBytes = 16

    /// May change only between requests.
    var limits: LimitsSnapshot
    private let peer: String
    private var buffer: [UInt8] = []
    /// The index of the first unused byte.
    private var cursor = 0
    /// The index of the first byte not yet searched for a line ending.
    private var searched = 0

    private var state = State.requestLine
    private var sawEmptyLine = false
    private var head: RequestHead?
    /// The size of the header section, the trailers and the chunk extensions, with line endings.
    private var sectionBytes = 0
    /// The number of field and trailer lines so far.
    private var lineCount = 0
    private var body: [UInt8] = []

    init(limits: LimitsSnapshot, peer: String) {
        self.limits = limits
        self.peer = peer
    }

    /// The current request as far as it has arrived, without its body.
    var begun: HTTPRequest {
        HTTPRequest(
            method: head?.line.method ?? .other("-"), target: head?.line.target ?? [],
            fields: head?.fields ?? HTTPFields(), peer: peer)
    }

    /// The bytes received but not yet decoded.
    var unread: ArraySlice<UInt8> { buffer[cursor...] }

    var progress: Progress {
        switch state {
        case .requestLine: cursor == buffer.count ? .idle : .head
        case .fields, .failed: .head
        default: .body
        }
    }

    /// Whether nothing of the next request has been examined.
    var isBeforeRequest: Bool {
        if case .requestLine = state { searched == cursor } else { false }
    }

    /// The approximate memory size of the current request so far, in bytes.
    var heldBytes: Int {
        buffer.capacity + body.capacity + sectionBytes + (head?.line.target.count ?? 0)
    }

    /// How much of the body is still to come, as far as the client has announced it.
    var awaitedBytes: Int {
        switch state {
        case .body(let remaining), .chunk(let remaining): remaining
        default: 0
        }
    }

    /// Discards the current request, after which nothing more is decoded.
    mutating func giveUp() {
        giveUpBuffer()
        body = []
        head = nil
        sectionBytes = 0
        state = .requestLine
    }

    /// Releases the buffer if it is empty, until more bytes arrive.
    mutating func rest() {
        if cursor == buffer.count { giveUpBuffer() }
    }

    private mutating func giveUpBuffer() {
        buffer = []
        cursor = 0
        searched = 0
    }

    /// Appends bytes as they arrive.
    mutating func feed(_ bytes: Span<UInt8>) {
        if cursor == buffer.count {
            dropUsedBuffer()
        } else if cursor > 0 {
            buffer.removeSubrange(0..<cursor)
            searched -= cursor
            cursor = 0
        }
        unsafe bytes.withUnsafeBufferPointer { unsafe buffer.append(contentsOf: $0) }
    }

    /// Decodes as far as the bytes allow. Call it again after each step except `needMore` and `fault`.
    mutating func next() -> Step {
        do throws(HTTPFault) {
            while true {
                if let step = try advance() { return step }
            }
        } catch {
            state = .failed(error)
            return .fault(error)
        }
    }

    /// - Returns: nil if the state changed and decoding goes on.
    private mutating func advance() throws(HTTPFault) -> Step? {
        switch state {
        case .requestLine: return try readRequestLine()
        case .fields: return try readField()
        case .body(let remaining):
            let left = remaining - takeBody(remaining, of: body.count + remaining)
            state = .body(remaining: left)
            return left == 0 ? finish() : .needMore
        case .chunkSize: return try readChunkSize()
        case .chunk(let remaining):
            let left = remaining - takeBody(remaining, of: limits.values.bodyBytes)
            state = left == 0 ? .chunkEnd : .chunk(remaining: left)
            return left == 0 ? nil : .needMore
        case .chunkEnd: return try readChunkEnd()
        case .trailers: return try readTrailer()
        case .failed(let fault): throw fault
        }
    }

    private mutating func readRequestLine() throws(HTTPFault) -> Step? {
        if cursor < buffer.count, buffer[cursor] != ByteClass.carriageReturn, !ByteClass.isToken(buffer[cursor]) {
            // For example a TLS handshake: no need to wait for a line ending that may never come.
            throw .malformed("The bytes are not an HTTP request.")
        }
        guard
            let range = try takeLine(
                limit: limits.values.requestLineBytes, .requestLineTooLong(limit: limits.values.requestLineBytes))
        else { return .needMore }
        if range.isEmpty {
            guard !sawEmptyLine else { throw .malformed("More than one empty line comes before the request line.") }
            sawEmptyLine = true
            return nil
        }
        head = try RequestHead(line: range, of: buffer)
        state = .fields
        return nil
    }

    private mutating func readField() throws(HTTPFault) -> Step? {
        guard let range = try takeSectionLine() else { return .needMore }
        if range.isEmpty { return try finishHead() }
        guard lineCount < limits.values.fieldCount else { throw .tooManyFields(limit: limits.values.fieldCount) }
        lineCount += 1
        try head?.append(line: range, of: buffer)
        return nil
    }

    private mutating func finishHead() throws(HTTPFault) -> Step? {
        guard let head else { return .needMore }
        let minorVersion = head.line.minorVersion
        switch try head.framing.body(minorVersion: minorVersion, limit: limits.values.bodyBytes) {
        case .none: return finish()
        case .length(let length):
            // No more memory than this is allocated on the client's word alone.
            body.reserveCapacity(min(length, 16 << 10))
            state = .body(remaining: length)
        case .chunked: state = .chunkSize
        }
        // A client that is already sending its body isn't waiting; one of HTTP/1.0 would take the 100 for the answer.
        return head.framing.expectsContinue && minorVersion > 0 && cursor == buffer.count ? .sendContinue : nil
    }

    private mutating func readChunkSize() throws(HTTPFault) -> Step? {
        guard let range = try takeLine(limit: Self.chunkLineBytes, .malformed("A chunk-size line is too long."))
        else { return .needMore }
        let size = try ChunkSize.parse(buffer.span.extracting(range))
        if range.count > Self.plainChunkLineBytes {
            // Otherwise a tiny body could come with endless extensions.
            sectionBytes += range.count
            guard sectionBytes <= limits.values.headerSectionBytes else {
                throw .fieldsTooLarge(limit: limits.values.headerSectionBytes)
            }
        }
        guard size <= limits.values.bodyBytes - body.count else { throw .bodyTooLarge(limit: limits.values.bodyBytes) }
        state = size == 0 ? .trailers : .chunk(remaining: size)
        return nil
    }

    private mutating func readChunkEnd() throws(HTTPFault) -> Step? {
        guard let range = try takeLine(limit: 0, .malformed("A chunk is longer than its size."))
        else { return .needMore }
        guard range.isEmpty else { throw .malformed("A chunk is longer than its size.") }
        state = .chunkSize
        return nil
    }

    /// Trailers are validated like fields and discarded: none has a meaning here.
    private mutating func readTrailer() throws(HTTPFault) -> Step? {
        guard let range = try takeSectionLine() else { return .needMore }
        if range.isEmpty { return finish() }
        guard lineCount < limits.values.fieldCount else { throw .tooManyFields(limit: limits.values.fieldCount) }
        lineCount += 1
        _ = try FieldLine(buffer.span.extracting(range))
        return nil
    }

    private mutating func finish() -> Step {
        guard let head = head.take() else { return .needMore }
        let decoded = DecodedRequest(
            request: HTTPRequest(
                method: head.line.method, target: head.line.target, fields: head.fields, body: body, peer: peer),
            minorVersion: head.line.minorVersion,
            keepsAlive: head.keepsAlive,
            heldBytes: body.capacity + sectionBytes + head.line.target.count)
        body = []
        sectionBytes = 0
        lineCount = 0
        sawEmptyLine = false
        state = .requestLine
        if cursor == buffer.count { dropUsedBuffer() }
        return .request(decoded)
    }

    /// An idle connection keeps only a small buffer, because there may be ten thousand of them.
    private mutating func dropUsedBuffer() {
        buffer.removeAll(keepingCapacity: buffer.capacity <= 4096)
        searched = 0
        cursor = 0
    }

    /// - Parameter total: the maximum size of the body, beyond which no capacity is reserved.
    private mutating func takeBody(_ wanted: Int, of total: Int) -> Int {
        let count = min(wanted, buffer.count - cursor)
        let needed = body.count + count
        if needed > body.capacity { body.reserveCapacity(min(total, max(needed, 2 * body.capacity))) }
        body.append(contentsOf: buffer[cursor..<(cursor + count)])
        cursor += count
        searched = cursor
        if cursor == buffer.count { dropUsedBuffer() }
        return count
    }

    private mutating func takeSectionLine() throws(HTTPFault) -> Range<Int>? {
        let limit = limits.values.headerSectionBytes
        guard let range = try takeLine(limit: limit - sectionBytes - 2, .fieldsTooLarge(limit: limit)) else {
            return nil
        }
        sectionBytes += range.count + 2
        return range
    }

    /// Takes the next line, without its CR LF.
    /// - Returns: nil if its end has not arrived yet.
    private mutating func takeLine(limit: Int, _ tooLong: HTTPFault) throws(HTTPFault) -> Range<Int>? {
        let start = cursor
        guard let feed = findLineFeed() else {
            // One more byte may be the CR of the line ending.
            if buffer.count - start > limit + 1 { throw tooLong }
            return nil
        }
        guard feed > start, buffer[feed - 1] == ByteClass.carriageReturn else {
            throw .malformed("A line ends in LF without CR.")
        }
        let end = feed - 1
        if end - start > limit { throw tooLong }
        cursor = feed + 1
        searched = cursor
        return start..<end
    }

    private mutating func findLineFeed() -> Int? {
        let count = buffer.count
        guard searched < count else { return nil }
        let from = searched
        searched = count
        return unsafe buffer.withUnsafeBytes { bytes -> Int? in
            guard let base = bytes.baseAddress,
                let found = unsafe memchr(base + from, Int32(ByteClass.lineFeed), count - from)
            else { return nil }
            return unsafe UnsafeRawPointer(found) - base
        }
    }
}
