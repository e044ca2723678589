/// What an export tells the operator.
public struct ExportReport: Sendable {
    /// A line for each table.
    public let lines: [String]
    /// A line for everything that is not in the files as the database has it. They come last, so as not to be
    /// overlooked.
    public internal(set) var losses: [String] = []
}
