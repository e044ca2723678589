import JSONText

/// Escapes texts for pages.
enum HTMLText {
    /// Escapes a text for an element or an attribute's value.
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

    /// Encodes a text as a JSON string.
    static func quoted(_ text: String) -> String {
        JSONValue.string(text).jsonText
    }
}
