/// A row's place in the order of a query.
///
/// Unlike a number of rows to skip, it doesn't move when rows before it are written or removed.
public struct PageCursor: Sendable, Equatable {
    /// The row's values of the order's terms, as its store represents values; those after the id are left out, because
    /// no two rows have the same id.
    public let values: [Value]
    /// The row's id, which ends every order.
    public let id: RowID

    /// Creates a place.
    public init(values: [Value], id: RowID) {
        self.values = values
        self.id = id
    }

    /// The place of a row.
    /// - Parameters:
    ///   - columns: those that give it, the id last.
    ///   - cell: what is in one of them; nil for a value that no cursor can hold.
    /// - Returns: nil if there is such a value.
    public init?(in columns: [Int], _ cell: (Int) -> Value?) {
        let cells = columns.map(cell)
        values = cells.dropLast().compactMap(\.self)
        switch cells.last {
        case .text(let text)??: id = .text(text)
        case .integer(let number)??: id = .integer(number)
        default: return nil
        }
        if values.count + 1 != cells.count { return nil }
    }
}
