/// Recognizes what grants access by its name or its looks, so that it is not shown.
public enum SecretWords {
    /// What replaces a secret.
    public static let hidden = "***"

    /// Words in the names of what opens something, whatever else the name says.
    private static let words = [
        "token", "auth", "key", "secret", "pass", "cookie", "session", "credential", "sign", "code", "state",
        "x-zumo-application", "x-zumo-master", "jwt", "challenge", "verifier", "csrf",
    ]

    /// Whether a field or a member of a query bears something secret, by its name.
    public static func isSecret(name: String) -> Bool {
        let folded = name.lowercased()
        return words.contains { folded.contains($0) }
    }

    /// Whether a value is an address with a user, and so perhaps a password, before its host.
    public static func namesUser(_ value: String) -> Bool {
        value.contains("@") && (value.contains("://") || value.lowercased().contains("%3a%2f%2f"))
    }

    /// The same of a header field's value, which may be a scheme with a credential of any form.
    public static func isSecret(field value: String) -> Bool {
        SchemeWords.isSecret(field: value) || isSecret(value: value)
    }

    /// Whether a value looks like a token, or is an address that bears one.
    public static func isSecret(value: String) -> Bool {
        // How every JSON Web Token begins.
        if value.contains("eyJ") || SchemeWords.isIn(value) { return true }
        guard value.contains("=") else { return false }
        let folded = value.lowercased()
        return ["token", "key", "secret", "password", "code", "auth"].contains { word in
            folded.contains("\(word)=") || folded.contains("\(word)%3d")
        }
    }
}
