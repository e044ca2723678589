import Scalars

/// The `updatedAt` of the last row of a list that is JSON already.
enum LastStamp {
    /// How much of the end is looked through: the server's own columns are a row's first.
    private static let reach = 16 << 10
    private static let member = Array("pdatedAt\":\"".utf8)

    /// - Returns: nil if the last row shows none, or is too long.
    static func find(in body: [UInt8]) -> Instant? {
        let (member, length) = (Self.member, Self.member.count)
        var start = body.count - length - Instant.wireLength
        let end = max(start - reach, 0)
        while start >= end {
            // In a text's value the quote would be escaped, so that only a member looks like this.
            if body[start] == member[0], matches(body, at: start), isWhole(body, at: start) {
                let stamp = body[(start + length)..<(start + length + Instant.wireLength)]
                return Instant(String(decoding: stamp, as: UTF8.self))
            }
            start -= 1
        }
        return nil
    }

    private static func matches(_ body: [UInt8], at start: Int) -> Bool {
        member.indices.allSatisfy { body[start + $0] == member[$0] }
    }

    /// Whether the name begins there: `updatedAt`, or `__updatedAt` of v1, and no column that ends alike.
    private static func isWhole(_ body: [UInt8], at start: Int) -> Bool {
        let before = String(decoding: body[max(start - 4, 0)..<start], as: UTF8.self)
        return before.hasSuffix("\"u") || before == "\"__u"
    }
}
