/// How rows are written to a file.
public enum TransferFormat: String, Sendable, CaseIterable {
    /// One JSON object a line.
    case jsonl
    /// Comma-separated values (RFC 4180): null is nothing between two commas, and the empty text is `""`.
    case csv

    /// The format that a file's name tells.
    init(ofFileNamed path: String) {
        self = path.lowercased().hasSuffix(".csv") ? .csv : .jsonl
    }

    /// What stands before a note in a file of this format: no row of an export begins so.
    static let csvNote = "#zumod "
}
