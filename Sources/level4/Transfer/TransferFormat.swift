/// How rows are written to a file.
public enum TransferFormat: String, Sendable, CaseIterable {
    /// One JSON object a line.
    case jsonl
    /// Comma-separated values (RFC 4180): null is nothing between two commas, and the empty text is `""`.
    case csv

    /// The format according to a file's name.
    init(ofFileNamed path: String) {
        self = path.lowercased().hasSuffix(".csv") ? .csv : .jsonl
    }

    /// What comes before a note in a file of this format: no row of an export begins like that.
    static let csvNote = "#zumod "
}
