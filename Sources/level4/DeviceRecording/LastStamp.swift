import Scalars

/// Finds the `updatedAt` of the last row in an encoded list.
enum LastStamp {
    /// How many bytes at the end are searched: system columns come first in a row.
    private static let reach = 16 << 10
    private static let member = Array("pdatedAt\":\"".utf8)

    /// - Parameter isServices: whether the list is for a v1 client, to which `updatedAt` is a column of the app's own.
    /// - Returns: nil if the last row doesn't have it, or is too long.
    static func find(in body: [UInt8], inServices isServices: Bool) -> Instant? {
        let (member, length) = (Self.member, Self.member.count)
        var start = body.count - length - Instant.wireLength
        let end = max(start - reach, 0)
        while start >= end {
            // In a text value the quote would be escaped, so only a member can match.
            if body[start] == member[0], matches(body, at: start), isWhole(body, at: start, isServices) {
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

    /// Whether the whole name is `updatedAt`, or `__updatedAt` of v1, and not another one with that ending.
    private static func isWhole(_ body: [UInt8], at start: Int, _ isServices: Bool) -> Bool {
        let before = String(decoding: body[max(start - 4, 0)..<start], as: UTF8.self)
        return before == "\"__u" || !isServices && before.hasSuffix("\"u")
    }
}
