public import Tables

/// What a table does beyond storing rows, as its definition says.
public struct TableBehaviour: Sendable, Equatable {
    /// Who wins where a write's precondition does not hold.
    public var conflictPolicy = ConflictPolicy.client
    /// Whether the parameter `conflictPolicy` of a write takes the policy's place.
    public var takesConflictPolicy = false
    /// The column that says whose a row is; nil where rows are everybody's.
    public var ownerColumn: Identifier?
    /// Which rows each caller may see and write, beside those that `ownerColumn` leaves; nil where that is all.
    public var rule: RowRule?
    /// How long rows are seen; nil for ever.
    public var lifetime: RowLifetime?
    /// The columns that no row may leave empty.
    public var required: [RequiredColumn] = []
    /// Whether the table keeps no rows, and answers each operation with the request's parameters instead.
    public var echoesParameters = false
    /// Whether rows that are read say who the caller is.
    public var showsIdentities = false

    /// The behaviour of a table whose definition says nothing.
    public init() {}

    /// Who wins the conflicts of a write.
    func policy(for write: TableWrite) -> ConflictPolicy {
        guard write.appliesConflictPolicy else { return .client }
        guard takesConflictPolicy else { return conflictPolicy }
        let parameter = write.call.parameters.last { $0.name.lowercased() == ConflictPolicy.parameterName }
        return parameter.map { ConflictPolicy(parameter: $0.value) } ?? conflictPolicy
    }
}
