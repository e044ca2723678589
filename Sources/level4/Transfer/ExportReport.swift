/// What an export tells the operator.
public struct ExportReport: Sendable {
    /// A line for each table.
    public let lines: [String]
    /// A line for everything that the files don't have because the server doesn't: clients get no more.
    public internal(set) var notes: [String] = []
    /// A line for everything else that isn't in the files as the database has it. They come last, so as not to be
    /// overlooked.
    public internal(set) var losses: [String] = []
}
