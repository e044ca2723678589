/// Recognizes credentials by their name or form, so that they aren't shown.
public enum SecretWords {
    /// What replaces a secret.
    public static let hidden = "***"

    /// Words that make any name that contains them secret.
    private static let words = [
        "token", "auth", "key", "secret", "pass", "cookie", "session", "credential", "sign", "code", "state",
        "x-zumo-application", "x-zumo-master", "jwt", "challenge", "verifier", "csrf",
    ]

    /// Returns whether a field or a query parameter is secret, judging by its name.
    public static func isSecret(name: String) -> Bool {
        let folded = name.lowercased()
        return words.contains { folded.contains($0) }
    }

    /// Returns whether a value is a URL with a user, and so possibly a password, before its host.
    public static func namesUser(_ value: String) -> Bool {
        value.contains("@") && (value.contains("://") || value.lowercased().contains("%3a%2f%2f"))
    }

    /// Returns whether a header field's value is secret; it may be a scheme with a credential of any form.
    public static func isSecret(field value: String) -> Bool {
        SchemeWords.isSecret(field: value) || isSecret(value: value)
    }

    /// Returns whether a value looks like a token, or is a URL that contains one.
    public static func isSecret(value: String) -> Bool {
        // The beginning of every JSON Web Token.
        if value.contains("eyJ") || SchemeWords.isIn(value) { return true }
        guard value.contains("=") else { return false }
        let folded = value.lowercased()
        return ["token", "key", "secret", "password", "code", "auth"].contains { word in
            folded.contains("\(word)=") || folded.contains("\(word)%3d")
        }
    }
}
