/// The query options of one list request, parsed once from the wire.
public struct QueryOptions: Sendable, Equatable {
    public var filter: Expression?
    public var order: [OrderTerm] = []
    public var skip: Int = 0
    /// nil where the client set none.
    public var top: Int?
    /// Names as the client wrote them; nil for all columns.
    public var select: [SelectedName]?
    public var wantsCount = false
    /// The continuation of a link of this server, as it came.
    public var skipToken: String?
    /// True only for `__includeDeleted=true` (any case of the value).
    public var includeDeleted = false

    public init() {}
}

/// A name in `$select`, with its byte offset in the option's text.
public struct SelectedName: Sendable, Equatable {
    public let name: String
    public let offset: Int

    public init(_ name: String, at offset: Int) {
        self.name = name
        self.offset = offset
    }
}
