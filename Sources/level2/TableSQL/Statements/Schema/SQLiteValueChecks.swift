import Scalars
public import Tables

extension SQLiteDialect {
    /// Compares types and spellings: SQLite keeps any value in any column.
    public func valueChecks(of field: Field, _ type: ColumnType) -> [ValueCheck] {
        let column = SQLFragment(field)
        // A text is greater than all numbers.
        let stored: SQLFragment = type == .integer ? "'integer'" : "'text'"
        return checks(of: column, type)
            + field.limitChecks(of: type, length: "zumod_length(\(column))").map {
                ValueCheck($0.fault, "typeof(\(column)) = \(stored) AND \($0.condition)")
            }
    }

    private func checks(of column: SQLFragment, _ type: ColumnType) -> [ValueCheck] {
        let kind: SQLFragment = "typeof(\(column))"
        let isEndless: SQLFragment = "\(kind) = 'real' AND abs(\(column)) = 9e999"
        switch type {
        case .string:
            return [
                ValueCheck(.otherKind, "\(kind) NOT IN ('text', 'null')"),
                ValueCheck(.garbled, "\(kind) = 'text' AND NOT zumod_is_utf8(\(column))"),
                ValueCheck(.zero, "\(kind) = 'text' AND instr(CAST(\(column) AS BLOB), x'00')"),
            ]
        case .number: return [ValueCheck(.otherKind, "\(kind) IN ('text', 'blob')"), ValueCheck(.endless, isEndless)]
        case .integer:
            return [
                ValueCheck(
                    .otherKind, "\(kind) IN ('text', 'blob') OR \(kind) = 'real' AND abs(\(column)) <> 9e999"),
                ValueCheck(.endless, isEndless),
            ]
        case .boolean:
            return [
                ValueCheck(.otherKind, "\(kind) NOT IN ('integer', 'null')"),
                ValueCheck(.otherTruth, "\(kind) = 'integer' AND \(column) NOT IN (0, 1)"),
            ]
        case .decimal:
            // The negated number is written out.
            let digits: SQLFragment = "length(replace(replace(zumod_decimal_negate(\(column)), '-', ''), '.', ''))"
            return [
                ValueCheck(.otherKind, "\(column) IS NOT NULL AND zumod_decimal_real(\(column)) IS NULL"),
                ValueCheck(.unfitSize, "\(digits) > \(.integer(Int64(DecimalNumber.maximumDigits)))"),
            ]
        case .date:
            return dateChecks(of: column, column, glob: InvariantStatement.dateGlob)
        case .timeOnly:
            return dateChecks(of: column, "('1970-01-01T' || \(column) || 'Z')", glob: InvariantStatement.timeGlob)
        case .dateOnly:
            return [
                ValueCheck(
                    .otherKind,
                    "\(column) IS NOT NULL AND zumod_date(\(column)) IS NOT \(column) || 'T00:00:00.000Z'")
            ]
        }
    }

    /// - Parameters:
    ///   - date: the column's value as a date with a time.
    ///   - glob: the pattern of what the server writes. Nearly all values have it, and cost one call each.
    private func dateChecks(of column: SQLFragment, _ date: SQLFragment, glob: String) -> [ValueCheck] {
        let isOther: SQLFragment =
            "typeof(\(column)) = 'text' AND NOT \(column) GLOB \(SQLFragment(stringLiteral: "'\(glob)'"))"
        let isDate: SQLFragment = "zumod_date(\(date)) IS NOT NULL"
        let fraction: SQLFragment = "substr(\(column), instr(\(column), '.') + 4)"
        return [
            ValueCheck(.otherKind, "\(column) IS NOT NULL AND NOT (typeof(\(column)) = 'text' AND \(isDate))"),
            ValueCheck(.otherSpelling, "\(isOther) AND \(isDate)"),
            ValueCheck(
                .finer,
                """
                \(isOther) AND \(column) GLOB '*.[0-9][0-9][0-9]*' AND ltrim(\(fraction), '0') GLOB '[1-9]*' \
                AND \(isDate)
                """),
        ]
    }
}
