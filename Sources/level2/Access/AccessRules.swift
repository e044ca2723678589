public import Tables

/// The access levels required by a table's operations: a default, and exceptions from it.
///
/// As in the Node server, each operation is independent: disabling `delete` leaves `undelete` as it was.
public struct AccessRules: Sendable, Equatable {
    /// The default level.
    public var everyOperation: AccessLevel
    /// Levels of individual operations, which override the default.
    public var perOperation: [Operation: AccessLevel]

    /// Creates rules; by default, anyone may do anything, as on the Node server.
    public init(everyOperation: AccessLevel = .anonymous, perOperation: [Operation: AccessLevel] = [:]) {
        self.everyOperation = everyOperation
        self.perOperation = perOperation
    }

    /// Returns the level required for an operation.
    public func level(of operation: Operation) -> AccessLevel {
        perOperation[operation] ?? everyOperation
    }

    /// Decides whether a caller may do an operation.
    public func decision(on operation: Operation, for principal: Principal) -> AccessDecision {
        level(of: operation).decision(for: principal)
    }
}

/// Whether an operation may go ahead.
public enum AccessDecision: Sendable, Hashable {
    /// The operation may proceed.
    case allowed
    /// The caller's credentials are insufficient or missing: 401 in every generation, never 403.
    case unauthorized
    /// No one may do it, not even with the master key: 405 in v2.
    case disabled
}
