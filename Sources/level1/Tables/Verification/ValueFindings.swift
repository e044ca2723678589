extension Finding {
    /// Returns the finding that a column has values that clients don't get, or can't find, as what they should be.
    /// - Parameter respelling: the statements that spell them as the server does, if there is a meaning to keep.
    public static func unfit(_ values: UnfitValues, of table: Identifier, respelling: [String]) -> Finding {
        let advice =
            switch values.fault {
            case .otherKind: "clients get them as they are, and no condition takes them for what they should be"
            case .otherTruth: "clients get true, which no condition finds; make it 1:"
            case .otherSpelling: "clients get what they mean, but conditions compare the texts; spell them anew:"
            case .endless: "clients get null, and conditions don't"
            case .outOfRange: "clients get the first or the last date that has a text (0001-01-01 or 9999-12-31)"
            case .garbled: "clients get U+FFFD in place of bytes; write the texts again as UTF-8"
            case .zero: "a client that sends such a text back is refused, and so is an import: take the character out"
            case .finer, .unfitSize, .tooHigh: "an export can't keep them"
            }
        let isSpelling = values.fault == .otherTruth || values.fault == .otherSpelling
        let ending = isSpelling || values.fault == .garbled || values.fault == .zero ? "" : values.replacement
        return Finding(
            isSpelling ? .spelling : .unfitValues, table: table.text,
            "its column \(values.field.name) has \(values.description): \(values.places)", advice: advice + ending,
            sql: respelling)
    }
}

extension UnfitValues {
    /// What an operator may put in place of the values.
    fileprivate var replacement: String {
        if case .system = field { return "; set them right" }
        return "; set them right, or to NULL"
    }
}
