import ByteText
import Cryptography
public import Tables

/// Converts places in lists to texts that clients hand back, and refuses texts that it didn't make.
///
/// A text is valid for the query that it was made for, on any page, but not for another table, filter, order,
/// comparison rule, scope or inclusion of tombstones. Limit, selection and count may change.
public struct CursorSeal: Sendable {
    private let key: MessageKey

    /// The maximum size of a text in bytes, so that it fits into a link. Places with longer texts have none.
    public static let maximumLength = 2_048

    /// - Parameter key: the database's own secret, at least 32 bytes.
    public init(key: [UInt8]) {
        self.key = MessageKey(key.span, .sha256)
    }

    /// Returns the text of a place in a query's list, in characters that need no encoding in a URL.
    /// - Parameter count: the number of rows in the list at its first page, if requested.
    /// - Returns: nil if it would be longer than `maximumLength`.
    public func text(
        of cursor: PageCursor, count: Int64? = nil, in query: TableQuery, of table: Identifier
    ) -> String? {
        let place = CursorBytes.bytes(of: cursor, count: count)
        let seal = key.code(of: signed(place, query, table).span)
        let text = Base64.url(seal + place)
        return text.utf8.count <= Self.maximumLength ? text : nil
    }

    /// Returns the place in a text.
    /// - Returns: nil if this server did not make the text, or made it for another query.
    public func place(from text: String, in query: TableQuery, of table: Identifier) -> SealedCursor? {
        guard text.utf8.count <= Self.maximumLength, let bytes = Base64.decode(text.utf8, .url) else { return nil }
        let seal = bytes.prefix(Digest.sha256Bytes)
        let place = Array(bytes.dropFirst(Digest.sha256Bytes))
        guard key.isCode(seal.span, of: signed(place, query, table).span) else { return nil }
        return CursorBytes.place(from: place)
    }

    private func signed(_ place: [UInt8], _ query: TableQuery, _ table: Identifier) -> [UInt8] {
        // The query's bytes are self-delimiting, so that no part of one can pass for the other.
        QueryBytes.bytes(of: query, table: table) + place
    }
}

/// The content of a continuation's text.
public struct SealedCursor: Sendable, Equatable {
    /// The row after which the list continues.
    public let cursor: PageCursor
    /// The number of rows in the list at its first page; nil if not requested.
    public let count: Int64?

    /// Creates the content.
    public init(cursor: PageCursor, count: Int64?) {
        self.cursor = cursor
        self.count = count
    }
}
