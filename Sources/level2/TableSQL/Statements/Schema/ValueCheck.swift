import Tables

/// A condition for the values of a column that have a fault.
public struct ValueCheck: Sendable {
    /// What is wrong with the values.
    let fault: ValueFault
    /// What rows with such a value satisfy.
    let condition: SQLFragment

    init(_ fault: ValueFault, _ condition: SQLFragment) {
        self.fault = fault
        self.condition = condition
    }
}

extension Field {
    /// Returns what the column holds.
    /// - Parameter numbersRows: whether the ids are numbers.
    func type(numbersRows: Bool) -> ColumnType {
        switch self {
        case .system(.id): numbersRows ? .integer : .string
        case .system(.createdAt), .system(.updatedAt): .date
        case .system(.version): .integer
        case .system(.deleted): .boolean
        case .own(let column): column.type
        }
    }

    /// The checks of a system column for what an import refuses.
    /// - Parameter length: the number of characters of a text in the column.
    func limitChecks(of type: ColumnType, length: SQLFragment) -> [ValueCheck] {
        let column = SQLFragment(self)
        func isBeyond(_ limit: Value) -> [ValueCheck] { [ValueCheck(.tooHigh, "\(column) >= \(limit)")] }
        return switch self {
        case .system(.id) where type == .integer: isBeyond(.integer(RowID.highestNumber + 1))
        case .system(.id):
            [ValueCheck(.unfitSize, "\(length) NOT BETWEEN 1 AND \(.integer(Int64(RowID.maximumLength)))")]
        case .system(.version): isBeyond(.integer(ImportRow.highestVersion.counter))
        case .system(.updatedAt): isBeyond(.date(ImportRow.latestStamp))
        case .system(.createdAt), .system(.deleted), .own: []
        }
    }
}
