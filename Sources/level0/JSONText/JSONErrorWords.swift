extension JSONError.Reason {
    /// The error as a phrase for a message: `expected a value`.
    public var words: String {
        switch self {
        case .unexpectedEnd: "it ends too early"
        case .expected(let words): "expected \(words)"
        case .trailingText: "text follows the value"
        case .invalidNumber: "malformed number"
        case .numberOutOfRange: "number out of range"
        case .invalidEscape: "malformed escape in a string"
        case .controlCharacter: "unescaped control character in a string"
        case .invalidUTF8: "not UTF-8"
        case .nul: "the character U+0000 can't be stored"
        case .tooDeep(let limit): "nested deeper than \(limit) levels"
        }
    }
}
