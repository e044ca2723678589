/// How rows are written to a file.
public enum TransferFormat: String, Sendable, CaseIterable {
    /// One JSON object per line.
    case jsonl
    /// Comma-separated values (RFC 4180): null is an empty field, and the empty text is `""`.
    case csv

    /// Returns the format that a file's name implies.
    init(ofFileNamed path: String) {
        self = path.lowercased().hasSuffix(".csv") ? .csv : .jsonl
    }

    /// The start of a note in a file of this format: no exported row begins like that.
    static let csvNote = "#zumod "
}
