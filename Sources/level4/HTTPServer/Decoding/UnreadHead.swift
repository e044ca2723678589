internal import HTTPModel
internal import Platform

/// The rest of a refused head, as far as the answer depends on it: without the page's Origin, a browser doesn't show
/// the refusal to the page. Lines that are too long are skipped.
struct UnreadHead {
    /// The fields that every answer depends on.
    private static let names: [StaticString] = [
        "Origin", "Access-Control-Request-Method", "Access-Control-Request-Headers",
    ]
    private static let lineBytes = 4 << 10
    /// How long to wait for the rest of a head that is too large.
    static let patience = Duration.seconds(1)

    /// The method of a request line that was too long; nil if the line was read before.
    private(set) var method: HTTPMethod?
    private(set) var fields = HTTPFields()
    /// Whether the head is complete.
    private(set) var isOver = false
    private var line: [UInt8] = []
    private var isLong = false
    private var isFirst: Bool

    /// - Parameter isWhole: whether the bytes start with the request line.
    init(isWhole: Bool) {
        isFirst = isWhole
    }

    mutating func feed(_ bytes: Span<UInt8>) {
        for index in bytes.indices where !isOver {
            if bytes[index] == ByteClass.lineFeed {
                endLine()
            } else if line.count < Self.lineBytes {
                line.append(bytes[index])
            } else {
                isLong = true
            }
        }
    }

    private mutating func endLine() {
        defer {
            line.removeAll(keepingCapacity: true)
            isLong = false
            isFirst = false
        }
        if line.last == ByteClass.carriageReturn, !isLong { line.removeLast() }
        if isFirst {
            let name = line.prefix { ByteClass.isToken($0) }
            method = HTTPMethod(String(decoding: name, as: UTF8.self))
        } else if line.isEmpty {
            isOver = true
        } else if !isLong, let field = try? FieldLine(line.span) {
            var one = HTTPFields()
            one.append(name: line.span.extracting(field.name), value: line.span.extracting(field.value))
            keep(one)
        }
    }

    private mutating func keep(_ one: HTTPFields) {
        for known in Self.names where one.contains(known) && !fields.contains(known) {
            fields.append(contentsOf: one)
        }
    }
}

extension HTTPFault {
    /// Whether the client may still be sending the rest of a head that is valid except for its size or timing.
    var leavesHeadUnread: Bool {
        switch self {
        case .requestLineTooLong, .fieldsTooLarge, .tooManyFields, .tooManyConnections, .tooManyConnectionsOfAddress:
            true
        default: false
        }
    }
}

extension Connection {
    /// The request as far as it has arrived, with the other fields of its head that the answer depends on.
    nonisolated(nonsending) func head(behind fault: HTTPFault) async -> HTTPRequest {
        var request = decoder.begun
        guard !request.fields.contains("Origin"), decoder.progress != .body else { return request }
        var rest = UnreadHead(isWhole: request.target.isEmpty && fault.leavesHeadUnread)
        rest.feed(decoder.unread.span)
        let deadline = loop.clock.now + UnreadHead.patience.nanoseconds
        var comes = fault.leavesHeadUnread
        while comes, !rest.isOver, await socket.wait(for: .reading, until: deadline) == .ready {
            switch socket.receive() {
            case .bytes(let count): unsafe rest.feed(loop.scratch.extracting(..<count).span)
            case .blocked: continue
            case .end, .fault: comes = false
            }
        }
        if let method = rest.method { request.method = method }
        request.fields.append(contentsOf: rest.fields)
        return request
    }
}
