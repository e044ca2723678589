public import Access

/// The caller of a request and its generation, for the request log.
public struct RequestCaller: Sendable {
    /// The generation in which the request is answered.
    public let generation: Generation
    /// The user of the token; nil without a valid one.
    public private(set) var user: String?
    /// Whether the request had the master key, or a token with the admin role.
    public private(set) var isAdmin = false

    /// Creates a caller of whom nothing is known yet.
    public init(_ generation: Generation) {
        self.generation = generation
    }

    /// Records what the credentials have proved.
    public mutating func know(_ principal: Principal) {
        user = principal.user?.id
        if case .admin = principal { isAdmin = true }
    }
}
