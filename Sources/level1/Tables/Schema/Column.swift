/// What a column holds.
public enum ColumnType: String, Sendable, CaseIterable {
    case string
    /// A double, as the Azure Node servers stored every number.
    case number
    /// A whole number, exact to 64 bits.
    case integer
    case boolean
    /// An instant with millisecond precision.
    case date
    /// A day without a time, stored and returned as `2026-11-21` (v3).
    case dateOnly
    /// A time of day with millisecond precision, stored and returned as `10:15:30.123` (v3).
    case timeOnly
    /// A decimal number with its scale, never rounded: `1.10` comes back as `1.10`. At most
    /// `DecimalNumber.maximumDigits` digits. Meant for v3's C# clients; a JSON number in every generation.
    case decimal
}

/// One of a table's own columns. Every column can be null.
public struct Column: Sendable, Hashable {
    /// The name in its first spelling.
    public let name: Identifier
    /// What the column holds.
    public let type: ColumnType
    /// What the column's texts are in the database; nil if it takes all texts, or none.
    public let form: TextForm?

    /// Creates a column.
    public init(_ name: Identifier, _ type: ColumnType, form: TextForm? = nil) {
        self.name = name
        self.type = type
        self.form = form
    }
}

/// The columns that the server keeps in every table, in their order on the wire.
public enum SystemColumn: String, Sendable, CaseIterable {
    case id, createdAt, updatedAt, version, deleted

    /// Finds a system column by its name in any case.
    public init?(named name: some StringProtocol) {
        // Most names aren't system columns, which their lengths already show.
        guard Self.lengths.contains(name.utf8.count), let match = Self.byName[name.lowercased()] else { return nil }
        self = match
    }
}

extension SystemColumn {
    private static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue.lowercased(), $0) })
    private static let lengths = Set(byName.keys.map(\.utf8.count))
}

/// A column of a result: a system column or one of the table's own.
public enum Field: Sendable, Hashable {
    case system(SystemColumn)
    case own(Column)

    /// The name as spelled on the wire.
    public var name: String {
        switch self {
        case .system(let column): column.rawValue
        case .own(let column): column.name.text
        }
    }

    /// What the column's texts are in the database; nil if it takes all texts, or none.
    public var form: TextForm? {
        if case .own(let column) = self { column.form } else { nil }
    }
}
