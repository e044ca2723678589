/// A write with a receipt, as far as the answer to its repetition depends on it.
public struct RepeatableWrite: Sendable {
    /// What it does to its row.
    public enum Kind: Sendable, Equatable {
        case insert
        case update(includesTombstones: Bool)
        case delete
    }

    /// What it does.
    public let kind: Kind
    /// The row's id; nil if the table has yet to number it.
    public let id: RowID?
    /// What it demands of the row.
    public let precondition: Precondition
    /// The rows that its caller may see and write; nil for all.
    public let scope: RowScope?
    /// By what it is known again.
    public let receipt: WriteReceipt

    /// Names a write.
    public init(
        _ kind: Kind, of id: RowID?, if precondition: Precondition = .none, scope: RowScope?, receipt: WriteReceipt
    ) {
        self.kind = kind
        self.id = id
        self.precondition = precondition
        self.scope = scope
        self.receipt = receipt
    }
}
