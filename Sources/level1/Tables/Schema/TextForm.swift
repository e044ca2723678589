import ByteText
import JSONText

/// What the texts of a column are in a database, if its column there is made by another program and doesn't take every
/// text.
public enum TextForm: String, Sendable, CaseIterable {
    case uuid, json

    /// Returns a text as the column will have it.
    /// - Returns: nil if the column doesn't take it.
    package func stored(_ text: String) -> String? {
        switch self {
        case .uuid: Self.uuid(text)
        case .json: Self.isJSON(text) ? text : nil
        }
    }

    /// The database shows UUIDs in lower case with hyphens. Like it, this takes braces, and hyphens after any four
    /// digits or none.
    private static func uuid(_ text: String) -> String? {
        var bytes = Array(text.utf8)[...]
        if bytes.first == UInt8(ascii: "{"), bytes.last == UInt8(ascii: "}") { bytes = bytes.dropFirst().dropLast() }
        let groups = bytes.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard groups.allSatisfy({ !$0.isEmpty && $0.count.isMultiple(of: 4) }),
            let number = [UInt8](hexText: String(decoding: groups.joined(), as: UTF8.self)), number.count == 16
        else { return nil }
        return hyphenated(number.span)
    }

    /// Returns the text of a UUID of sixteen bytes.
    public static func hyphenated(_ bytes: Span<UInt8>) -> String {
        var text = bytes.array.hexText
        for place in [20, 16, 12, 8] { text.insert("-", at: text.utf8.index(text.startIndex, offsetBy: place)) }
        return text
    }

    private static func isJSON(_ text: String) -> Bool {
        // The reader ignores a byte order mark, which the database refuses.
        guard text.unicodeScalars.first != "\u{FEFF}" else { return false }
        return (try? JSONReader.parse(Array(text.utf8))) != nil
    }
}
