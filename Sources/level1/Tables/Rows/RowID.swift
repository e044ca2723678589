import ByteText

/// The id of a row. Ids are identifiers, not text: they are compared by their bytes, case-sensitively.
public enum RowID: Sendable, Hashable {
    case text(String)
    /// In a table with `autoIncrement`.
    case integer(Int64)

    /// The maximum length of a text id in characters, which the client SDKs check too.
    public static let maximumLength = 255

    /// The highest number that a row may be given explicitly, or be imported with: beyond it there would be no room for
    /// those of later rows.
    public static let highestNumber = Int64.max - (1 << 32)

    /// Why a new row can't have an id: by the rules that the client SDKs apply before they send one, and because part
    /// of it got lost on the way.
    /// Ids are only checked at insert; any text may be requested.
    public enum Fault: Error, Sendable, Equatable {
        case tooLong
        case reservedName
        case forbiddenCharacter(Unicode.Scalar)
    }

    /// Checks a text id for a new row.
    public static func fault(inNew text: String) -> Fault? {
        if text == "." || text == ".." { return .reservedName }
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0...0x1F, 0x7F...0x9F: return .forbiddenCharacter(scalar)
            case 0x22, 0x2B, 0x3F, 0x5C, 0x2F, 0x60: return .forbiddenCharacter(scalar)  // " + ? \ / `
            // The replacement for a truncated character: different ids would become equal.
            case 0xFFFD: return .forbiddenCharacter(scalar)
            default: continue
            }
        }
        return text.unicodeScalars.count > maximumLength ? .tooLong : nil
    }

    /// Compares byte by byte.
    public static func == (left: RowID, right: RowID) -> Bool {
        switch (left, right) {
        case (.text(let left), .text(let right)): left.isExactly(right)
        case (.integer(let left), .integer(let right)): left == right
        case (.text, _), (.integer, _): false
        }
    }

    /// Hashes what `==` compares.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .text(let text): text.hashExactly(into: &hasher)
        case .integer(let number): hasher.combine(number)
        }
    }
}

extension RowID {
    /// Parses the id of a row of a table; nil if no row of the table can have it.
    public init?(_ text: String, in table: Table) {
        guard table.rules.autoIncrement else {
            self = .text(text)
            return
        }
        // Each number has one spelling: `+1` and `01` aren't ids.
        guard let number = Int64(text), String(number) == text else { return nil }
        self = .integer(number)
    }

    /// The id as in the path of a row, before encoding.
    public var text: String {
        switch self {
        case .text(let text): text
        case .integer(let number): String(number)
        }
    }

    /// Returns whether a row of the table can have the id: a database might otherwise take 5 and '5' for the same.
    public func fits(_ table: Table) -> Bool {
        switch self {
        case .text: !table.rules.autoIncrement
        case .integer: table.rules.autoIncrement
        }
    }
}
