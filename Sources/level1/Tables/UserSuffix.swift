/// Distinguishes a user of the server's own login from those who had the name before, as a part of the user's id. A
/// user created again under an old name must not see the rows of the previous one.
public enum UserSuffix: Sendable, Equatable {
    /// No mark if no one is known to have had the name before, otherwise this one.
    case ifNeeded(String)
    /// Exactly this mark: a new one, or that of the user whose rows the new user should get; empty for none.
    case exactly(String)

    /// Returns a mark that no one has.
    public static func random() -> String {
        let digits = Array("0123456789abcdef")
        return String((0..<length).map { _ in digits[Int.random(in: 0..<16)] })
    }

    private static let length = 8

    /// Returns what follows the provider's name in a user's id: `ann`, or `ann#0c9e41d7`.
    public static func subject(ofUser name: String, mark: String) -> String {
        mark.isEmpty ? name : "\(name)#\(mark)"
    }

    /// Returns whether a text has the form of a mark.
    public static func isMark(_ text: String) -> Bool {
        let scalars = text.unicodeScalars
        return scalars.count == length && scalars.allSatisfy { "0123456789abcdef".unicodeScalars.contains($0) }
    }

    /// Returns the users that such a text can refer to, the one with a mark first.
    public static func users(of subject: String) -> [(name: String, mark: String)] {
        let scalars = subject.unicodeScalars
        let mark = scalars.suffix(length)
        let rest = scalars.dropLast(length)
        guard rest.count > 1, rest.last == "#", isMark(String(mark)) else { return [(subject, "")] }
        return [(String(rest.dropLast()), String(mark)), (subject, "")]
    }
}
