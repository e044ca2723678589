internal import HTTPModel

/// How the client learns where the body of an answer ends (RFC 9112 section 6).
enum BodyFraming: Equatable {
    /// There can't be a body, whatever the head says.
    case absent
    case length(Int)
    /// Each buffer is preceded by its length.
    case chunked
    /// The body ends with the connection, since HTTP/1.0 has no chunks.
    case untilClose

    /// - Parameter minorVersion: the minor version of the client's HTTP.
    init(of response: HTTPResponse, minorVersion: Int) {
        // A 304 would have to state the length of the 200 (RFC 9110 section 8.6).
        if response.status == .noContent || response.status == .notModified {
            self = .absent
        } else if let length = response.body.length {
            self = .length(length)
        } else {
            self = minorVersion == 0 ? .untilClose : .chunked
        }
    }
}
