import Scalars
public import Tables

extension PostgresDialect {
    /// Looks for what other programs write and JSON doesn't have. Types are as declared, but for days and times of day,
    /// which are texts.
    public func valueChecks(of field: Field, _ type: ColumnType) -> [ValueCheck] {
        let column = SQLFragment(field)
        let text: SQLFragment = "CAST(\(column) AS text)"
        return checks(of: column, text: text, type, form: field.form)
            + field.limitChecks(of: type, length: "char_length(\(text))")
    }

    private func checks(
        of column: SQLFragment, text: SQLFragment, _ type: ColumnType, form: TextForm?
    ) -> [ValueCheck] {
        let endless = ValueCheck(.endless, "\(column) IN ('NaN', 'Infinity', '-Infinity')")
        switch type {
        case .boolean, .integer: return []
        // The pair stands for U+0000.
        case .string: return form == nil ? [ValueCheck(.zero, "strpos(\(text), E'\\001\\001') > 0")] : []
        case .number: return [endless]
        case .decimal:
            let digits: SQLFragment = "length(translate(\(text), '-.', ''))"
            return [
                endless, ValueCheck(.unfitSize, "\(digits) > \(.integer(Int64(DecimalNumber.maximumDigits)))"),
            ]
        case .date:
            // Infinite dates are before and after all others, and the last days are too far away for a time of day.
            let isInRange: SQLFragment =
                "(\(column) >= '0001-01-01T00:00:00Z' AND \(column) < '10000-01-01T00:00:00Z')"
            let isFiner: SQLFragment = "\(column) <> date_trunc('milliseconds', \(column))"
            return [
                ValueCheck(.outOfRange, "NOT \(isInRange)"),
                ValueCheck(.finer, "CASE WHEN \(isInRange) THEN \(isFiner) ELSE FALSE END"),
            ]
        case .dateOnly:
            let isDay: SQLFragment = "length(\(text)) = 10 AND zumod_date(\(text) || 'T00:00:00Z') IS NOT NULL"
            return [ValueCheck(.otherKind, "\(column) IS NOT NULL AND NOT (\(isDay))")]
        case .timeOnly:
            let isTime: SQLFragment = "zumod_date('1970-01-01T' || \(text) || 'Z') IS NOT NULL"
            return [
                ValueCheck(.otherKind, "\(column) IS NOT NULL AND NOT \(isTime)"),
                ValueCheck(.otherSpelling, "length(\(text)) <> 12 AND \(isTime)"),
                ValueCheck(.finer, "\(text) ~ '[.][0-9]{3}0*[1-9]' AND \(isTime)"),
            ]
        }
    }
}
