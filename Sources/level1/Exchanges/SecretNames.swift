/// Finds names of credentials, beyond those that the server itself uses.
enum SecretNames {
    /// Only matched as whole words, since they are parts of many others.
    private static let words: Set<String> = ["pwd", "pin", "otp", "totp", "mfa", "sas", "sig", "cert"]
    private static let parts = ["connectionstring", "zumo-master", "clientcert"]

    /// Returns whether a field, a member or an element is secret, judging by its name.
    static func isSecret(_ name: String) -> Bool {
        if SecretWords.isSecret(name: name) { return true }
        let folded = name.lowercased()
        return parts.contains { folded.contains($0) } || words(of: name).contains { words.contains($0) }
    }

    /// Splits a name into words: `userPin`, `user-pin` and `USER_PIN` have two each.
    private static func words(of name: String) -> [String] {
        var all: [String] = []
        var word = ""
        var wasSmall = false
        for letter in name {
            if !letter.isLetter || letter.isUppercase && wasSmall {
                if !word.isEmpty { all.append(word) }
                word = ""
            }
            if letter.isLetter { word += letter.lowercased() }
            wasSmall = letter.isLowercase
        }
        return word.isEmpty ? all : all + [word]
    }

    /// Returns whether a text of any kind names something secret before a colon, an equals sign or the end of a tag, or
    /// as the value of an attribute.
    static func areIn(_ text: some Collection<UInt8>) -> Bool {
        var name: [UInt8] = []
        var isQuotedValue = false
        // The two bytes before the current one, the earlier one first.
        var before: (UInt8, UInt8) = (0, 0)
        // A name may be followed by quotes and blanks.
        var isBehind = false
        func isFound() -> Bool { isSecret(String(decoding: name, as: UTF8.self)) }
        for byte in text {
            switch byte {
            case 48...57, 65...90, 97...122, UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."), 128...:
                if isBehind || name.isEmpty {
                    if isQuotedValue, isFound() { return true }
                    name = []
                    isBehind = false
                    isQuotedValue = before.0 == UInt8(ascii: "=") && before.1 == UInt8(ascii: "\"")
                }
                name.append(byte)
            case UInt8(ascii: ":"), UInt8(ascii: "="), UInt8(ascii: ">"):
                if isFound() { return true }
                name = []
            case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "\\"), 9, 10, 13, 32:
                isBehind = true
            default:
                if isQuotedValue, isFound() { return true }
                name = []
            }
            before = (before.1, byte)
        }
        return isQuotedValue && isFound()
    }
}
