import OData
public import Tables

/// The row that a statement reads or writes: by its id, and with the conditions under which the caller may do so.
public struct RowTarget: Sendable {
    /// The row's id.
    public let id: RowID
    /// The version that the row must have; nil for any.
    public var version: Version?
    /// Whether the row may be a tombstone.
    public var includesTombstones: Bool
    /// The scope that the row must be in; nil for any row.
    public var scope: RowScope?

    /// Creates a target.
    public init(_ id: RowID, version: Version? = nil, includesTombstones: Bool, scope: RowScope? = nil) {
        self.id = id
        self.version = version
        self.includesTombstones = includesTombstones
        self.scope = scope
    }
}

extension RowID {
    var value: Value {
        switch self {
        case .text(let text): .text(text)
        case .integer(let number): .integer(number)
        }
    }
}

extension SQLBuilder {
    /// Appends the WHERE clause for one row, with the conditions on version, tombstones and scope that the target sets.
    /// - Parameter writes: whether the row must be writable.
    mutating func rowCondition(_ target: RowTarget, in table: Table, writes: Bool) throws(QueryError) {
        append(" WHERE \"id\" = ")
        bind(target.id.value)
        if let version = target.version {
            append(" AND \"version\" = ")
            bind(.integer(version.counter))
        }
        if table.rules.softDelete, !target.includesTombstones {
            append(" AND \"deleted\" = ")
            bind(.boolean(false))
        }
        guard let scope = target.scope else { return }
        and(
            writes
                ? try scope.writeCondition(in: table, dialect: dialect)
                : try scope.condition(in: table, dialect: dialect))
        if let asked = try scope.askedCondition(in: table, dialect: dialect) { and(asked) }
    }

    /// Appends another condition to a WHERE clause.
    mutating func and(_ condition: Operand) {
        append(" AND ")
        append(condition.sql(within: .and))
    }
}
