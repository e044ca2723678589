internal import HTTPModel

/// A complete request and what its answer has to know of it.
struct DecodedRequest {
    var request: HTTPRequest
    /// 0 or 1: of HTTP/1.0 or HTTP/1.1.
    var minorVersion: Int
    /// Whether the client wants the connection kept open after the answer (RFC 9112 section 9.3).
    var keepsAlive: Bool
    /// About how much memory the request takes.
    var heldBytes: Int
}
