public import HTTPModel
public import Scalars

/// One request and what was answered, as the record keeps it.
public struct Exchange: Sendable {
    /// Counted from 1 by the record that keeps it; 0 before.
    public internal(set) var number = 0
    /// The request's id, as `X-Request-Id` has it.
    public var id: String
    /// When the request was there, by the wall clock.
    public var start: Instant
    /// How long it took until the answer was made.
    public var duration: Duration
    /// The address that it came from.
    public var peer: String
    /// Whether it came encrypted.
    public var isSecured: Bool
    /// What was asked for.
    public var method: HTTPMethod
    /// The request target as it was sent.
    public var target: [UInt8]
    /// The request's fields.
    public var fields: HTTPFields
    /// The request's body.
    public var body: RecordedBody
    /// The answer; nil if the connection was cut and there was none.
    public var answer: ExchangeResponse?
    /// The name of the fault rule that struck; nil if none did.
    public var fault: String?
    /// The path, decoded and without a trailing slash; as it was sent if it can't be decoded.
    public let path: String
    /// The table that the path names, as it is written there; nil if it names none.
    public var table: String?
    /// What was asked of the table; nil if that is not known.
    public var operation: String?
    /// In which generation it was answered; nil if that is not known.
    public var generation: String?

    /// Records a request and its answer.
    /// - Parameters:
    ///   - answer: nil if none was sent.
    ///   - fault: the name of the fault rule that struck.
    public init(
        _ request: HTTPRequest, id: String, start: Instant, duration: Duration, answer: HTTPResponse?,
        fault: String? = nil
    ) {
        self.id = id
        self.start = start
        self.duration = duration
        self.fault = fault
        peer = request.peer
        isSecured = request.isSecured
        method = request.method
        target = request.target
        fields = request.fields
        body = RecordedBody(request.body)
        self.answer = answer.map { ExchangeResponse($0, to: request.method) }
        if let target = try? RequestTarget(request.target) {
            path = "/" + target.segments.joined(separator: "/")
            let isTable = target.segments.count >= 2 && target.segments[0].lowercased() == "tables"
            table = isTable ? target.segments[1] : nil
        } else {
            path = String(decoding: request.target.prefix { $0 != UInt8(ascii: "?") }, as: UTF8.self)
            table = nil
        }
    }

    /// The bytes that it holds, more or less.
    var size: Int {
        Self.overhead + id.utf8.count + 2 * target.count + fields.size + body.bytes.count
            + (answer.map { $0.fields.size + $0.body.bytes.count } ?? 0)
    }

    /// What an exchange of empty texts holds.
    private static let overhead = 512
}

/// What was answered to a request.
public struct ExchangeResponse: Sendable {
    /// The status.
    public var status: HTTPStatus
    /// The fields that were known when the exchange was recorded.
    public var fields: HTTPFields
    /// The body.
    public var body: RecordedBody

    /// - Parameter method: of the request, since to HEAD no body is sent.
    init(_ response: HTTPResponse, to method: HTTPMethod) {
        status = response.status
        fields = response.fields
        let hasBody = method != .head && status != .noContent && status != .notModified
        body = hasBody ? RecordedBody(response.body) : RecordedBody([])
    }
}

extension HTTPFields {
    /// The bytes of all names and values, with a few for each.
    fileprivate var size: Int {
        var bytes: [UInt8] = []
        encode(into: &bytes)
        return bytes.count + count * 32
    }
}
