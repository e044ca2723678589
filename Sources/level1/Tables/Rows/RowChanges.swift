import Scalars

/// The values that a body writes, checked against a table's columns.
public struct RowChanges: Sendable, Equatable {
    /// The columns to set, each at most once.
    public var assignments: [Assignment] = []
    /// Those of the assigned columns that are still to be added to the table.
    public var newColumns: [Column] = []

    /// A column and the value to write there.
    public struct Assignment: Sendable, Equatable {
        /// The column.
        public let column: Column
        /// The value, already converted to the column's type.
        public let value: Value

        /// Pairs a column with a value of its type.
        public init(column: Column, value: Value) {
            self.column = column
            self.value = value
        }
    }
}

extension Table {
    /// Matches a body's properties with the table's columns, without regard to case, and checks their types.
    ///
    /// `id` and `version` are not among the properties; the protocol layer takes them out.
    /// If a column occurs twice, the last property counts.
    /// - Parameter action: the write that they are for. Azure ignored a null for an unknown column in an insert, and
    ///   refused it in an update.
    public func changes(from properties: [Property], for action: RowWrite.Action) throws(TableError) -> RowChanges {
        var changes = RowChanges()
        changes.assignments.reserveCapacity(properties.count)
        for property in properties {
            guard SystemColumn(named: property.name) == nil else { throw .reservedProperty(property.name) }
            let spelled = column(spelled: property.name)
            guard let name = spelled?.name ?? Identifier(property.name) else {
                throw .invalidColumnName(property.name)
            }
            let column: Column
            if let known = spelled ?? self.column(name) ?? changes.newColumns.first(where: { $0.name == name }) {
                column = known
            } else {
                guard rules.dynamicSchema else { throw .unknownProperty(property.name) }
                guard let type = property.impliedType ?? ColumnType(inferredFrom: property.value) else {
                    if action == .insert { continue }
                    throw .unknownProperty(property.name)
                }
                guard columns.count + changes.newColumns.count < Self.maximumColumns else {
                    throw .tooManyColumns(limit: Self.maximumColumns)
                }
                column = Column(name, type)
                changes.newColumns.append(column)
            }
            let value = try column.convert(property.value, property: property.name)
            let assignment = RowChanges.Assignment(column: column, value: value)
            if let earlier = changes.assignments.firstIndex(where: { $0.column.name == name }) {
                changes.assignments[earlier] = assignment
            } else {
                changes.assignments.append(assignment)
            }
        }
        return changes
    }

    /// Returns whether changes made for this table, or for an earlier state of it, can be written to it as they are.
    public func hasAll(of changes: RowChanges) -> Bool {
        changes.newColumns.isEmpty
            && changes.assignments.allSatisfy { assignment in
                let known = column(spelled: assignment.column.name.text) ?? column(assignment.column.name)
                return known?.type == assignment.column.type && known?.form == assignment.column.form
            }
    }

    /// Returns the changes of an update.
    public func changes(for update: RowUpdate) throws(TableError) -> RowChanges {
        var changes = try changes(from: update.properties, for: .update)
        guard update.replaces else { return changes }
        let set = Set(changes.assignments.map(\.column.name))
        changes.assignments += columns.filter { !set.contains($0.name) }.map {
            RowChanges.Assignment(column: $0, value: .null)
        }
        return changes
    }

    /// The maximum number of a table's own columns: what both stores can hold besides the system columns.
    public static let maximumColumns = 1000
}

extension Column {
    /// Converts a body's value to one that the column holds.
    fileprivate func convert(_ value: Value, property: String) throws(TableError) -> Value {
        let value = try type.convert(value, property: property)
        guard let form, case .text(let text) = value else { return value }
        guard let stored = form.stored(text) else {
            throw .typeMismatch(property: property, column: type, found: value)
        }
        return .text(stored)
    }
}

extension ColumnType {
    /// Returns the type of the column that dynamic schema creates for a value; nil for null, which has no type. Dates
    /// are never detected (v2): they stay text, byte for byte.
    init?(inferredFrom value: Value) {
        switch value {
        case .null: return nil
        case .boolean: self = .boolean
        case .integer, .number, .decimal: self = .number
        case .text: self = .string
        case .date: self = .date
        }
    }

    /// Converts a body's value to one that a column of this type holds.
    func convert(_ value: Value, property: String) throws(TableError) -> Value {
        switch (self, value) {
        case (_, .null), (.string, .text), (.number, .number), (.integer, .integer), (.boolean, .boolean),
            (.date, .date):
            return value
        case (.number, .integer(let whole)):
            return .number(Double(whole))
        case (.number, .decimal(let decimal)):
            if decimal.double.isFinite { return .number(decimal.double) }
        case (.integer, .decimal(let decimal)):
            if let whole = decimal.whole { return .integer(whole) }
        case (.decimal, .integer(let whole)):
            return .decimal(DecimalNumber(whole))
        case (.decimal, .number(let number)):
            if let decimal = DecimalNumber(number) { return try decimal.bounded(property: property) }
        case (.decimal, .decimal(let decimal)):
            return try decimal.bounded(property: property)
        case (.integer, .number(let number)):
            if let whole = Int64(exactly: number) { return .integer(whole) }
        case (.date, .text(let text)):
            if let instant = Instant(text) { return .date(instant) }
        case (.dateOnly, .text(let text)):
            if let midnight = Instant(day: text) { return .text(midnight.dayText) }
        case (.timeOnly, .text(let text)):
            if let time = TimeOfDay(text) { return .text(time.wireText) }
        default:
            break
        }
        throw .typeMismatch(property: property, column: self, found: value)
    }
}

extension DecimalNumber {
    fileprivate func bounded(property: String) throws(TableError) -> Value {
        if isTooLong { throw .tooManyDigits(property: property, limit: Self.maximumDigits) }
        return .decimal(self)
    }
}
