internal import HTTPModel

/// Which answers are sent as gzip to a client that accepts it: complete ones, not streams.
enum ResponseCoding {
    /// Below this size, the extra header fields and the work outweigh the savings.
    static let leastBytes = 1 << 10
    /// The largest body that a loop compresses itself: less than a millisecond's work.
    static let bytesOnLoop = 64 << 10

    /// Whether the answer would get smaller and may be compressed. Answers that must not be stored may not: they
    /// contain tokens, and the length of compressed text next to text chosen by a stranger would give hints about them.
    static func fits(_ response: HTTPResponse) -> Bool {
        guard response.body.heldBytes >= leastBytes, !response.fields.contains("Content-Encoding"),
            let type = response.fields["Content-Type"], response.fields["Cache-Control"] != "no-store"
        else { return false }
        return type.hasPrefix("application/json") || type.hasPrefix("text/") || type.hasPrefix("application/xml")
            || type.hasPrefix("application/javascript")
    }

    /// Replaces the body with its gzip, if that is at least a tenth smaller.
    static func replace(_ response: inout HTTPResponse, by gzip: [UInt8]) {
        guard gzip.count <= response.body.heldBytes / 10 * 9 else { return }
        response.body = .bytes(gzip)
        // This can't fail, as it is less than was reserved before.
        _ = response.charge?.cover(gzip.count)
        response.fields.append("Content-Encoding", "gzip")
    }
}
