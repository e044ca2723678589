internal import HTTPModel

/// Which answers are sent as gzip to a client that accepts it: complete ones, not streams.
enum ResponseCoding {
    /// Below this size, the extra header fields and the work outweigh the savings.
    static let leastBytes = 1 << 10
    /// As much as a loop compresses itself: less than a millisecond's work.
    static let bytesOnLoop = 64 << 10

    /// Whether the answer is of a kind that gets smaller. Answers that must not be stored are excluded: they contain
    /// tokens, and their compressed length next to text chosen by a stranger would give hints about them.
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
        // Never more than what was held before.
        _ = response.charge?.cover(gzip.count)
        response.fields.append("Content-Encoding", "gzip")
    }
}
