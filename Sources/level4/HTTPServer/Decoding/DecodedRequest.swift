internal import HTTPModel

/// A complete request, with what its answer depends on.
struct DecodedRequest {
    var request: HTTPRequest
    /// The minor version of HTTP/1: 0 or 1.
    var minorVersion: Int
    /// Whether the client wants the connection kept open after the answer (RFC 9112 section 9.3).
    var keepsAlive: Bool
    /// The approximate memory size of the request in bytes.
    var heldBytes: Int
}
