/// The kind of a statement, by its first word. The raw value is an index into the metrics.
public enum StatementKind: Int, Sendable, CaseIterable {
    case select, insert, update, delete, commit, other

    /// Determines the kind from a statement's text.
    public init(_ sql: String) {
        var letters = sql.utf8.makeIterator()
        guard let first = letters.next(), let second = letters.next(), let third = letters.next() else {
            self = .other
            return
        }
        self =
            switch (first, second, third) {
            case (UInt8(ascii: "S"), UInt8(ascii: "E"), UInt8(ascii: "L")): .select
            case (UInt8(ascii: "I"), UInt8(ascii: "N"), UInt8(ascii: "S")): .insert
            case (UInt8(ascii: "U"), UInt8(ascii: "P"), UInt8(ascii: "D")): .update
            case (UInt8(ascii: "D"), UInt8(ascii: "E"), UInt8(ascii: "L")): .delete
            case (UInt8(ascii: "C"), UInt8(ascii: "O"), UInt8(ascii: "M")): .commit
            default: .other
            }
    }

    /// The name in labels.
    public var name: String { "\(self)" }

    /// Whether a database can show a plan for such a statement.
    public var hasPlan: Bool {
        switch self {
        case .select, .insert, .update, .delete: true
        case .commit, .other: false
        }
    }
}
