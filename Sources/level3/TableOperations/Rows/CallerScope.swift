public import Access
import OData
public import Scalars
public import Tables

// Which of a table's rows each caller sees and may write.
extension TableBehaviour {
    /// Returns the owner to whose rows a caller is limited; nil if they see everyone's.
    ///
    /// The user of a token sees only their own, even an admin. The master key alone sees all.
    func owner(for caller: Principal) -> RowOwner? {
        guard let ownerColumn, let user = caller.user else { return nil }
        return RowOwner(column: ownerColumn, id: user.id)
    }

    /// Decides access to a table with rows per user: it requires a user, whatever the access says; only the master key
    /// opens it without one.
    func decisionByOwner(for caller: Principal) -> AccessDecision {
        guard ownerColumn != nil else { return .allowed }
        return switch caller {
        case .user, .admin: .allowed
        case .anonymous, .application: .unauthorized
        }
    }

    /// Returns the rows that a caller may see at a moment, and which of them they may write; nil for all.
    public func scope(for caller: Principal, at now: Instant) -> RowScope? {
        let visible = visibleScope(for: caller, at: now)
        guard let writable = rule(for: caller)?.writable(for: caller.user?.id) else { return visible }
        return RowScope(visible?.condition ?? .literal(.boolean(true), at: 0), writable: writable)
    }

    /// Returns the rows that a caller may see at a moment; nil for all.
    func visibleScope(for caller: Principal, at now: Instant) -> RowScope? {
        // A caller who should have been refused sees nothing.
        if decisionByOwner(for: caller) == .unauthorized { return RowScope(.literal(.boolean(false), at: 0)) }
        return Self.joined([lastingScope(for: caller)?.condition, lifetime?.condition(at: now)])
    }

    /// Returns the part of a caller's visible scope that doesn't change with time.
    func lastingScope(for caller: Principal) -> RowScope? {
        Self.joined([owner(for: caller)?.condition, rule(for: caller)?.visible(for: caller.user?.id)])
    }

    /// Returns the rule as it applies to a caller; nil if there is none. Only the master key bypasses it.
    private func rule(for caller: Principal) -> RowRule? {
        caller == .admin(nil) ? nil : rule
    }

    /// Returns the rows for which all of the conditions are true; nil if there are none.
    private static func joined(_ conditions: [Expression?]) -> RowScope? {
        let all = conditions.compactMap(\.self).reduce(nil as Expression?) { joined, next in
            joined.map { .binary(.and, $0, next, at: 0) } ?? next
        }
        return all.map { RowScope($0) }
    }
}
