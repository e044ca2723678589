public import HTTPModel
public import Scalars

/// A request and its answer, as recorded.
public struct Exchange: Sendable {
    /// The number, counted from 1 by the record; 0 before it is recorded.
    public internal(set) var number = 0
    /// The request's id, as in `X-Request-Id`.
    public var id: String
    /// When the request arrived, by the wall clock.
    public var start: Instant
    /// The time until the answer was ready.
    public var duration: Duration
    /// The address of the peer.
    public var peer: String
    /// Whether the request was encrypted.
    public var isSecured: Bool
    /// The request's method.
    public var method: HTTPMethod
    /// The request target as sent.
    public var target: [UInt8]
    /// The request's fields.
    public var fields: HTTPFields
    /// The request's body.
    public var body: RecordedBody
    /// The answer; nil if the connection was closed without one.
    public var answer: ExchangeResponse?
    /// The name of the fault rule that was applied; nil if none was.
    public var fault: String?
    /// The path, decoded and without a trailing slash; as sent if it can't be decoded.
    public let path: String
    /// The table in the path, as written there; nil if there is none.
    public var table: String?
    /// The operation on the table; nil if unknown.
    public var operation: String?
    /// The generation of the answer; nil if unknown.
    public var generation: String?

    /// Records a request and its answer.
    /// - Parameters:
    ///   - answer: the answer; nil if none was sent.
    ///   - fault: the name of the fault rule that was applied.
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

    /// The approximate size in bytes.
    var size: Int {
        Self.overhead + id.utf8.count + 2 * target.count + fields.size + body.bytes.count
            + (answer.map { $0.fields.size + $0.body.bytes.count } ?? 0)
    }

    /// The size in bytes of an exchange of empty texts.
    private static let overhead = 512
}

/// The answer to a request.
public struct ExchangeResponse: Sendable {
    /// The status.
    public var status: HTTPStatus
    /// The fields known when the exchange was recorded.
    public var fields: HTTPFields
    /// The body.
    public var body: RecordedBody

    /// - Parameter method: the request's method, since answers to HEAD have no body.
    init(_ response: HTTPResponse, to method: HTTPMethod) {
        status = response.status
        fields = response.fields
        let hasBody = method != .head && status != .noContent && status != .notModified
        body = hasBody ? RecordedBody(response.body) : RecordedBody([])
    }
}

extension HTTPFields {
    /// The size in bytes of all names and values, with some overhead for each.
    fileprivate var size: Int {
        var bytes: [UInt8] = []
        encode(into: &bytes)
        return bytes.count + count * 32
    }
}
