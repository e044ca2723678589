/// A store whose counters can be advanced past numbers that it has given out and no longer knows.
public protocol NumberedStore: TableStore {
    /// Advances the version counter, the last stamp of every table, and the ids of every table that numbers its rows,
    /// whatever defined the table: from the last number given, as far as counters or rows show it, and as far as there
    /// is room.
    /// - Returns: a sentence for each number that had no room.
    func moveNumbersOn(by lead: NumberGap) async throws(TableError) -> [String]
}

/// How far numbers are advanced.
public struct NumberGap: Sendable {
    /// The number of versions to leave out.
    public let versions: Int64
    /// The number of ids to leave out in each table that numbers its rows.
    public let ids: Int64
    /// How far the next stamp is to be after the last one or the clock, in milliseconds.
    public let milliseconds: Int64

    /// Creates a gap.
    public init(versions: Int64, ids: Int64, milliseconds: Int64) {
        self.versions = versions
        self.ids = ids
        self.milliseconds = milliseconds
    }
}

extension NumberGap {
    /// Returns a number advanced, but not beyond `end`. A number already beyond it stays as it is.
    public static func move(_ last: Int64, by lead: Int64, within end: Int64) -> (number: Int64, hasRoom: Bool) {
        last > end - lead ? (max(last, end), false) : (last + lead, true)
    }
}
