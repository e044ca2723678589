import ByteText
import Cryptography
public import Tables

/// Turns places in lists into texts that clients hand back, and refuses texts that it didn't make.
///
/// A text is good for the query that it was made for, on any page: another table, filter, order, rule of comparison,
/// scope or view of tombstones makes it void. Limit, selection and count may change.
public struct CursorSeal: Sendable {
    private let key: MessageKey

    /// The longest text, in bytes: what fits into a link. Longer places, of long texts in an order, have none.
    public static let maximumLength = 2_048

    /// - Parameter key: the database's own secret, at least 32 bytes.
    public init(key: [UInt8]) {
        self.key = MessageKey(key.span, .sha256)
    }

    /// The text of a place in the list of a query, in letters that need no encoding in a URL.
    /// - Parameter count: how many rows the list had at its first page, if that was requested.
    /// - Returns: nil if it would be longer than `maximumLength`.
    public func text(
        of cursor: PageCursor, count: Int64? = nil, in query: TableQuery, of table: Identifier
    ) -> String? {
        let place = CursorBytes.bytes(of: cursor, count: count)
        let seal = key.code(of: signed(place, query, table).span)
        let text = Base64.url(seal + place)
        return text.utf8.count <= Self.maximumLength ? text : nil
    }

    /// The place that a text stands for.
    /// - Returns: nil if this server did not make the text, or made it for another query.
    public func place(from text: String, in query: TableQuery, of table: Identifier) -> SealedCursor? {
        guard text.utf8.count <= Self.maximumLength, let bytes = Base64.decode(text.utf8, .url) else { return nil }
        let seal = bytes.prefix(Digest.sha256Bytes)
        let place = Array(bytes.dropFirst(Digest.sha256Bytes))
        guard key.isCode(seal.span, of: signed(place, query, table).span) else { return nil }
        return CursorBytes.place(from: place)
    }

    private func signed(_ place: [UInt8], _ query: TableQuery, _ table: Identifier) -> [UInt8] {
        // The query's bytes tell their own end, so that no part of one can pass for the other.
        QueryBytes.bytes(of: query, table: table) + place
    }
}

/// The content of a continuation's text.
public struct SealedCursor: Sendable, Equatable {
    /// The row after which the list continues.
    public let cursor: PageCursor
    /// How many rows the list had at its first page; nil if nobody asked for that.
    public let count: Int64?

    /// Puts both together.
    public init(cursor: PageCursor, count: Int64?) {
        self.cursor = cursor
        self.count = count
    }
}
