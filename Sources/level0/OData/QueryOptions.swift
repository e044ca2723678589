/// The query options of one list request, parsed once from the wire.
public struct QueryOptions: Sendable, Equatable {
    /// `$filter`; nil for every row.
    public var filter: Expression?
    /// `$orderby`; empty if the client didn't ask for an order.
    public var order: [OrderTerm] = []
    /// `$skip`.
    public var skip: Int = 0
    /// `$top`; nil if the client set none.
    public var top: Int?
    /// `$select`, as the client wrote it; nil for all columns.
    public var select: [SelectedName]?
    /// Whether the client asks for the count of matching rows.
    public var wantsCount = false
    /// The continuation from a link of this server, as received.
    public var skipToken: String?
    /// True only for `__includeDeleted=true` (any case of the value).
    public var includeDeleted = false

    /// Creates options without any set.
    public init() {}
}

/// A name in `$select`, with its byte offset in the option's text.
public struct SelectedName: Sendable, Equatable {
    /// The name as the client wrote it.
    public let name: String
    /// The offset in bytes from the start of the option's text.
    public let offset: Int

    /// Creates a name.
    public init(_ name: String, at offset: Int) {
        self.name = name
        self.offset = offset
    }
}
