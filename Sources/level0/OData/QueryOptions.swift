/// The query options of one list request, parsed once from the wire.
public struct QueryOptions: Sendable, Equatable {
    /// `$filter`; nil for every row.
    public var filter: Expression?
    /// `$orderby`; empty if the client asks for no order.
    public var order: [OrderTerm] = []
    /// `$skip`.
    public var skip: Int = 0
    /// nil if the client set none.
    public var top: Int?
    /// Names as the client wrote them; nil for all columns.
    public var select: [SelectedName]?
    /// Whether the client asks for the number of rows that match.
    public var wantsCount = false
    /// The continuation of a link of this server, as it came.
    public var skipToken: String?
    /// True only for `__includeDeleted=true` (any case of the value).
    public var includeDeleted = false

    /// No option at all.
    public init() {}
}

/// A name in `$select`, with its byte offset in the option's text.
public struct SelectedName: Sendable, Equatable {
    /// The name as the client wrote it.
    public let name: String
    /// Bytes from the start of the option's text.
    public let offset: Int

    /// Makes a name.
    public init(_ name: String, at offset: Int) {
        self.name = name
        self.offset = offset
    }
}
