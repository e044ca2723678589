internal import HTTPModel

/// Which answers are sent as gzip where the client takes it: those that are there as a whole, and no streams.
enum AnswerCoding {
    /// Below it the fields that say so and the work outweigh what is saved.
    static let leastBytes = 1 << 10
    /// As much as a loop compresses itself: less than a millisecond's work.
    static let bytesOnLoop = 64 << 10

    /// Whether the answer is one that gets smaller. Not those that nobody may store: they hold tokens, whose length would
    /// tell of them beside words of a stranger's.
    static func fits(_ response: HTTPResponse) -> Bool {
        guard response.body.heldBytes >= leastBytes, !response.fields.contains("Content-Encoding"),
            let type = response.fields["Content-Type"], response.fields["Cache-Control"] != "no-store"
        else { return false }
        return type.hasPrefix("application/json") || type.hasPrefix("text/") || type.hasPrefix("application/xml")
            || type.hasPrefix("application/javascript")
    }

    /// Puts the gzip in the place of the body, where it is smaller by a tenth at least.
    static func replace(_ response: inout HTTPResponse, by gzip: [UInt8]) {
        guard gzip.count <= response.body.heldBytes / 10 * 9 else { return }
        response.body = .bytes(gzip)
        // Never more than what was held before.
        _ = response.charge?.cover(gzip.count)
        response.fields.append("Content-Encoding", "gzip")
    }
}
