import Tables

extension RowID {
    var value: Value {
        switch self {
        case .text(let text): .text(text)
        case .integer(let number): .integer(number)
        }
    }
}

extension SQLBuilder {
    /// Appends the WHERE clause that names one row, and demands a version or a live row where asked.
    mutating func rowCondition(_ id: RowID, version: Version? = nil, liveOnly: Bool) {
        append(" WHERE \"id\" = ")
        bind(id.value)
        if let version {
            append(" AND \"version\" = ")
            bind(.integer(version.counter))
        }
        if liveOnly {
            append(" AND \"deleted\" = ")
            bind(.boolean(false))
        }
    }
}
