/// Whether an operation may go ahead.
public enum AccessDecision: Sendable, Hashable {
    /// It may.
    case allowed
    /// The caller holds too little, or nothing at all: 401 in every generation, never 403.
    case unauthorized
    /// Nobody may, not even with the master key: 405 in v2.
    case disabled
}
