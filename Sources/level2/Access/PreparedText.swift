import Foundation

/// Names and passwords in normalized form (RFC 8265): one keyboard writes `é` as one character, another as two.
public enum PreparedText {
    /// Returns a user's name, composed and trimmed.
    public static func name(_ text: String) -> String {
        text.precomposedStringWithCanonicalMapping.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Returns the account names that a user who typed this one may mean: the name itself, composed, and decomposed, as
    /// accounts of earlier versions may be.
    public static func names(_ text: String) -> [String] {
        let name = name(text)
        return distinct([text, name, name.decomposedStringWithCanonicalMapping])
    }

    /// Returns a password, composed and with every blank replaced by an ordinary space.
    static func password(_ text: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            scalars.append(scalar.properties.generalCategory == .spaceSeparator ? " " : scalar)
        }
        return String(scalars).precomposedStringWithCanonicalMapping
    }

    /// Returns the passwords whose hash may match what was typed: the normalized one, and for hashes made by earlier
    /// versions the text exactly as typed, or decomposed.
    static func passwords(_ text: String) -> [String] {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return [text] }
        return distinct([password(text), text, text.decomposedStringWithCanonicalMapping])
    }

    /// Removes duplicates by bytes: to Swift, composed and decomposed texts are equal.
    private static func distinct(_ texts: [String]) -> [String] {
        var found: [String] = []
        for text in texts where !found.contains(where: { $0.utf8.elementsEqual(text.utf8) }) { found.append(text) }
        return found
    }
}
