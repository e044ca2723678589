import Tables
import ZumoProtocol

// The texts of errors, apart from the switch that gives each a status.
extension ErrorResponse {
    /// Returns a client's own text in a form that a message may repeat.
    static func excerpt(_ text: String) -> String { ErrorBody.excerpt(text) }

    static func words(_ type: ColumnType) -> String {
        switch type {
        case .string: "a string"
        case .number: "a number"
        case .integer: "a whole number of 64 bits"
        case .boolean: "a boolean"
        case .date: "a date such as 2026-11-21T12:00:00.123Z"
        case .dateOnly: "a day such as 2026-11-21"
        case .timeOnly: "a time of day such as 12:00:00.123"
        case .decimal: "a number"
        }
    }

    static func words(_ fault: RowID.Fault) -> String {
        switch fault {
        case .tooLong: "The id is longer than \(RowID.maximumLength) characters."
        case .reservedName: "The id can't be '.' or '..'."
        case .forbiddenCharacter("\u{FFFD}"):
            "The id holds U+FFFD, which stands for a lost character, or half of a surrogate pair."
        case .forbiddenCharacter(let scalar):
            scalar.value < 32 || (127...159).contains(scalar.value)
                ? "The id holds a control character." : "The id holds the character '\(Character(scalar))'."
        }
    }

    static func words(_ fault: JSONPatch.Fault) -> String {
        switch fault {
        case .notAnObject: "it has to be an object."
        case .unknownOperation(let name): "there is no operation '\(excerpt(name))'."
        case .lacks(let member): "it lacks '\(member)'."
        case .path(let path): "the path '\(excerpt(path))' doesn't lead to a column."
        case .unknownMember(let name): "the table has no column '\(excerpt(name))'."
        case .untrue(let name): "the test of '\(excerpt(name))' isn't true of the row."
        case .copiesTooMuch(let limit): "the copies come to more than \(limit) bytes of text."
        }
    }
}
