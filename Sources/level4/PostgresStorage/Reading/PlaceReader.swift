import Tables

extension PostgresResult {
    /// The place of a row in its order.
    /// - Returns: nil if a cell has a value that no cursor can hold exactly.
    func place(ofRow row: Int, in columns: [Int]) -> PageCursor? {
        guard let idColumn = columns.last, let id = value(row, idColumn) else { return nil }
        var values: [Value] = []
        for column in columns.dropLast() {
            guard let value = value(row, column) else { return nil }
            values.append(value)
        }
        switch id {
        case .text(let text): return PageCursor(values: values, id: .text(text))
        case .integer(let number): return PageCursor(values: values, id: .integer(number))
        default: return nil
        }
    }

    private func value(_ row: Int, _ column: Int) -> Value? {
        if isNull(row, column) { return .null }
        switch CellType(rawValue: type(of: column)) {
        case .boolean: return .boolean(boolean(row, column))
        case .int8: return .integer(integer(row, column))
        case .int4: return .integer(Int64(Int32(truncatingIfNeeded: integer(row, column))))
        case .int2: return .integer(Int64(Int16(truncatingIfNeeded: integer(row, column))))
        case .float8: return .number(Double(bitPattern: bits(row, column)))
        case .numeric: return withBytes(row, column) { NumericCell.decimal($0) }.map(Value.decimal)
        case .timestampWithZone: return instant(microseconds: integer(row, column))
        case .text, .varchar:
            return withBytes(row, column) { bytes in
                .text(String(decoding: StoredText.original(bytes) ?? bytes.copy, as: UTF8.self))
            }
        case .float4, .character, .name, .json, .uuid, .date, .timestamp, .day, .timeOfDay, nil: return nil
        }
    }

    /// Dates of other programs may be more precise than a place can express.
    private func instant(microseconds: Int64) -> Value? {
        microseconds.isMultiple(of: 1_000) ? .date(StoredDate.instant(microseconds: microseconds)) : nil
    }
}

extension Span<UInt8> {
    fileprivate var copy: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        for index in indices { bytes.append(self[index]) }
        return bytes
    }
}
