public import Access
import OData
public import Scalars
public import Tables

// Which of a table's rows each caller sees and may write.
extension TableBehaviour {
    /// The caller whose rows are all that they see; nil where they see the rows of everybody.
    ///
    /// The user of a token sees their own, an admin too. The master key alone sees all.
    func owner(for caller: Principal) -> RowOwner? {
        guard let ownerColumn, let user = caller.user else { return nil }
        return RowOwner(column: ownerColumn, id: user.id)
    }

    /// Whether rows that have owners are anything to a caller: they ask for a user, whatever the access says; only the
    /// master key opens them without one.
    func decisionByOwner(for caller: Principal) -> AccessDecision {
        guard ownerColumn != nil else { return .allowed }
        return switch caller {
        case .user, .admin: .allowed
        case .anonymous, .application: .unauthorized
        }
    }

    /// The rows that a caller may see at a moment, and which of them they may write; nil for all.
    public func scope(for caller: Principal, at now: Instant) -> RowScope? {
        let visible = visibleScope(for: caller, at: now)
        guard let writable = rule(for: caller)?.writable(for: caller.user?.id) else { return visible }
        return RowScope(visible?.condition ?? .literal(.boolean(true), at: 0), writable: writable)
    }

    /// The rows that a caller may see at a moment; nil for all.
    func visibleScope(for caller: Principal, at now: Instant) -> RowScope? {
        // Who should have been refused sees nothing.
        if decisionByOwner(for: caller) == .unauthorized { return RowScope(.literal(.boolean(false), at: 0)) }
        return Self.joined([lastingScope(for: caller)?.condition, lifetime?.condition(at: now)])
    }

    /// The part of what a caller may see that stays the same as time goes by.
    func lastingScope(for caller: Principal) -> RowScope? {
        Self.joined([owner(for: caller)?.condition, rule(for: caller)?.visible(for: caller.user?.id)])
    }

    /// The rule as it applies to a caller; nil where there is none. The master key alone is above it.
    private func rule(for caller: Principal) -> RowRule? {
        caller == .admin(nil) ? nil : rule
    }

    /// The rows for which all of the conditions are true; nil where there is none.
    private static func joined(_ conditions: [Expression?]) -> RowScope? {
        let all = conditions.compactMap(\.self).reduce(nil as Expression?) { joined, next in
            joined.map { .binary(.and, $0, next, at: 0) } ?? next
        }
        return all.map { RowScope($0) }
    }
}
