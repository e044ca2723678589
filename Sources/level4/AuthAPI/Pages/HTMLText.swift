import JSONText

/// Texts as pages hold them.
enum HTMLText {
    /// As the text of an element or the value of an attribute.
    static func escaped(_ text: String) -> String {
        var result = ""
        for character in text.unicodeScalars {
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            default: result.unicodeScalars.append(character)
            }
        }
        return result
    }

    /// As a text of JSON.
    static func quoted(_ text: String) -> String {
        JSONValue.string(text).jsonText
    }
}
