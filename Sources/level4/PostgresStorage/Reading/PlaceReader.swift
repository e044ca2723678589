import Tables

extension PostgresResult {
    /// Returns the place of a row in its order.
    /// - Returns: nil if a cell has a value that no cursor can hold exactly.
    func place(ofRow row: Int, in columns: [Int]) -> PageCursor? { PageCursor(in: columns) { exactValue(row, $0) } }

    private func exactValue(_ row: Int, _ column: Int) -> Value? {
        if isNull(row, column) { return .null }
        // An explicit optional, as `nil` would be the null of `Value`.
        let value: Value? = value(row, column)
        switch CellType(rawValue: type(of: column)) {
        case .boolean, .int8, .int4, .int2, .text, .varchar, .json, .uuid: return value
        case .float8: return .number(Double(bitPattern: bits(row, column)))
        case .numeric: return value == .some(.null) ? nil : value
        // Dates of other programs may be more precise than a place can express.
        case .timestampWithZone: return integer(row, column).isMultiple(of: 1_000) ? value : nil
        case .float4, .character, .name, .date, .timestamp, .day, .timeOfDay, nil: return nil
        }
    }
}
