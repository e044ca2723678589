internal import HTTPModel

/// How the client learns where the body of an answer ends (RFC 9112 section 6).
enum BodyFraming: Equatable {
    /// There can't be one, whatever the head says.
    case absent
    case length(Int)
    /// Each buffer says how long it is.
    case chunked
    /// It ends with the connection, since HTTP/1.0 knows no chunks.
    case untilClose

    /// - Parameter minorVersion: of the client's HTTP.
    init(of response: HTTPResponse, minorVersion: Int) {
        // A 304 would have to give the length of the 200 (RFC 9110 section 8.6).
        if response.status == .noContent || response.status == .notModified {
            self = .absent
        } else if let length = response.body.length {
            self = .length(length)
        } else {
            self = minorVersion == 0 ? .untilClose : .chunked
        }
    }
}
