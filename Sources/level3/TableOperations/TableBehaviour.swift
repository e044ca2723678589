public import Tables

/// What a table does beyond storing rows, as its definition says.
public struct TableBehaviour: Sendable, Equatable {
    /// Who wins when a write's precondition fails.
    public var conflictPolicy = ConflictPolicy.client
    /// Whether a write's `conflictPolicy` parameter overrides the policy.
    public var takesConflictPolicy = false
    /// The column that holds a row's owner; nil if rows have no owners.
    public var ownerColumn: Identifier?
    /// Further limits on the rows each caller may see and write, besides `ownerColumn`; nil for none.
    public var rule: RowRule?
    /// How long rows stay visible; nil for ever.
    public var lifetime: RowLifetime?
    /// The columns that no row may leave empty.
    public var required: [RequiredColumn] = []
    /// Whether the table keeps no rows, and answers each operation with the request's parameters instead.
    public var echoesParameters = false
    /// Whether reads include the caller's identities.
    public var showsIdentities = false

    /// Creates the behaviour of a table whose definition sets none.
    public init() {}

    /// Returns who wins a write's conflicts.
    func policy(for write: TableWrite) -> ConflictPolicy {
        guard write.appliesConflictPolicy else { return .client }
        guard takesConflictPolicy else { return conflictPolicy }
        let parameter = write.call.parameters.last { $0.name.lowercased() == ConflictPolicy.parameterName }
        return parameter.map { ConflictPolicy(parameter: $0.value) } ?? conflictPolicy
    }
}
