import ByteText
import TableSQL
import Tables

extension PostgresConnection {
    func schema(of table: Identifier) throws(PostgresFailure) -> TableSchema? {
        let result = try run(
            """
            SELECT a.attname::text, \(CellType.ofColumn), col_description(a.attrelid, a.attnum)
            FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
            WHERE c.relname = $1::text AND c.relnamespace = \(CurrentSchema.oid)
                AND c.relkind NOT IN ('i', 'I', 'S') AND a.attnum > 0 AND NOT a.attisdropped
            ORDER BY a.attnum
            """, [.text(PostgresName.physical(table.text))])
        guard result.rowCount > 0 else { return nil }
        var schema = TableSchema()
        for row in 0..<result.rowCount {
            schema.add(result.string(row, 0), type: result.bits(row, 1), comment: result.string(row, 2))
        }
        return schema
    }
}

extension TableSchema {
    /// - Parameter comment: the column's own name if the database can't hold it.
    mutating func add(_ name: String, type: UInt64, comment: String) {
        columnNames.append(name)
        guard let cells = CellType(rawValue: UInt32(truncatingIfNeeded: type)) else { return }
        let type = cells.columnType
        let name = name.contains(PostgresName.mark) ? comment : name
        if let system = SystemColumn.allCases.first(where: { $0.rawValue.isExactly(name) }) {
            systemColumns.insert(system)
            if system == .id { hasIntegerID = type == .integer }
        } else if let identifier = Identifier(name), SystemColumn(named: name) == nil,
            !columns.contains(where: { $0.name == identifier })
        {
            columns.append(Column(identifier, type, form: cells.textForm))
        }
    }
}

extension CellType {
    /// The column type for values of this type.
    fileprivate var columnType: ColumnType {
        switch self {
        case .boolean: .boolean
        case .int2, .int4, .int8: .integer
        case .float4, .float8: .number
        case .numeric: .decimal
        case .text, .varchar, .character, .name, .json, .uuid: .string
        case .date, .timestamp, .timestampWithZone: .date
        case .day: .dateOnly
        case .timeOfDay: .timeOnly
        }
    }

    /// What texts of this type are; nil if it takes all texts, or none.
    fileprivate var textForm: TextForm? {
        switch self {
        case .uuid: .uuid
        case .json: .json
        default: nil
        }
    }
}
