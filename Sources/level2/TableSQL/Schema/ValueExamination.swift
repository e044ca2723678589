public import Tables

extension SQLConnection {
    /// Returns the values of a table that an export changes, or that an import refuses.
    public func lostValues(of table: Table) throws(Failure) -> [UnfitValues] {
        try unfitValues(of: table.name, in: table.fields, numbersRows: table.rules.autoIncrement) { $0.isLoss }
    }

    /// Returns the values of columns that have a fault. It reads the table once for some hundred checks, and once more
    /// for each fault that it finds, up to the first rows that have it.
    /// - Parameter counts: whether a fault is looked for.
    func unfitValues(
        of table: Identifier, in fields: [Field], numbersRows: Bool, where counts: (ValueFault) -> Bool
    ) throws(Failure) -> [UnfitValues] {
        let checks = fields.flatMap { field in
            let type = field.type(numbersRows: numbersRows)
            return dialect.valueChecks(of: field, type).filter { counts($0.fault) }.map { (field, type, $0) }
        }
        var found: [UnfitValues] = []
        for start in stride(from: 0, to: checks.count, by: valueChecksAtOnce) {
            let part = checks[start..<min(start + valueChecksAtOnce, checks.count)]
            let numbers: [SQLFragment] = part.map { "count(CASE WHEN \($0.2.condition) THEN 1 END)" }
            guard let row = try rows(of: "SELECT \(numbers.joined()) FROM \(table)" as SQLFragment).first else {
                continue
            }
            for (place, (field, type, check)) in part.enumerated() {
                guard let count = row.integer(place), count > 0 else { continue }
                let examples: SQLFragment = "SELECT \"id\" FROM \(table) WHERE \(check.condition) LIMIT 3"
                found.append(
                    UnfitValues(
                        field, type, check.fault, count: count, examples: try rows(of: examples).map { $0.words(0) }))
            }
        }
        return found
    }
}

/// Databases return between 1,600 and 2,000 columns.
private let valueChecksAtOnce = 300
