/// What a write demands of the row with its id.
public enum WriteDemand: Sendable, Hashable {
    /// There must be no such row.
    case insert
    /// The row must exist, match the precondition, and be live unless tombstones may be written too.
    case update(if: Precondition, includesTombstones: Bool)
    /// The row must be live and match the precondition.
    case delete(if: Precondition)

    /// The condition on the row's version.
    public var precondition: Precondition {
        switch self {
        case .insert: .none
        case .update(let precondition, _), .delete(let precondition): precondition
        }
    }

    /// Whether a tombstone may be written too.
    public var includesTombstones: Bool {
        if case .update(_, let includesTombstones) = self { includesTombstones } else { false }
    }

    /// Returns whether the write removes its row completely.
    public func removesRow(by rules: TableRules) -> Bool {
        if case .delete = self { !rules.softDelete } else { false }
    }
}
