/// What a write demands of the row that has its id.
public enum WriteDemand: Sendable, Hashable {
    /// There is none.
    case insert
    /// There is one for which the precondition holds, and it is live unless tombstones are written too.
    case update(if: Precondition, includesTombstones: Bool)
    /// There is a live one for which the precondition holds.
    case delete(if: Precondition)

    /// What has to hold for the row's version.
    public var precondition: Precondition {
        switch self {
        case .insert: .none
        case .update(let precondition, _), .delete(let precondition): precondition
        }
    }

    /// Whether a tombstone is written too.
    public var includesTombstones: Bool {
        if case .update(_, let includesTombstones) = self { includesTombstones } else { false }
    }

    /// Whether the write leaves nothing of its row.
    public func removesRow(by rules: TableRules) -> Bool {
        if case .delete = self { !rules.softDelete } else { false }
    }
}
