public import Tables

/// The levels required by a table's operations: one for the whole table, and exceptions from it.
///
/// As in the Node server, each operation is independent: disabling `delete` leaves `undelete` as it was.
public struct AccessRules: Sendable, Equatable {
    /// The level of every operation that has none of its own.
    public var everyOperation: AccessLevel
    /// Levels of single operations; they win over the one of the table.
    public var perOperation: [Operation: AccessLevel]

    /// Makes rules; without any, everybody may do everything, as on the Node server.
    public init(everyOperation: AccessLevel = .anonymous, perOperation: [Operation: AccessLevel] = [:]) {
        self.everyOperation = everyOperation
        self.perOperation = perOperation
    }

    /// The level that counts for an operation.
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
    /// It may.
    case allowed
    /// The caller holds too little, or nothing at all: 401 in every generation, never 403.
    case unauthorized
    /// Nobody may, not even with the master key: 405 in v2.
    case disabled
}
