import ByteText

/// Texts in the commands that operators are told to run.
public enum ShellWord {
    /// Quotes a text so that a shell reads it as one word, unless it does anyway.
    public static func quoted(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { $0.isLetterOrDigit || "/._-+:@%,".utf8.contains($0) }
        return isPlain && !text.isEmpty ? text : always(text)
    }

    /// Quotes any text.
    public static func always(_ text: String) -> String { "'\(text.replacing("'", with: "'\\''"))'" }

    /// Quotes a path, which no program takes for an option.
    public static func path(_ path: String) -> String { always(path.hasPrefix("-") ? "./\(path)" : path) }
}
