/// A store whose numbers can be moved on, past those that it has given and no longer knows.
public protocol NumberedStore: TableStore {
    /// Moves on the version counter, the last stamp of every table, and the ids of every table that numbers its rows,
    /// whoever defined the table: from what was given last, as far as counters or rows tell, and as far as there is
    /// room.
    /// - Returns: what there was no room for, a sentence for each.
    func moveNumbersOn(by lead: NumberGap) async throws(TableError) -> [String]
}

/// How far numbers are moved on.
public struct NumberGap: Sendable {
    /// Versions that are left out.
    public let versions: Int64
    /// Ids that are left out in each table that numbers its rows.
    public let ids: Int64
    /// How far the next stamp is after the last one or the clock.
    public let milliseconds: Int64

    /// Puts a lead together.
    public init(versions: Int64, ids: Int64, milliseconds: Int64) {
        self.versions = versions
        self.ids = ids
        self.milliseconds = milliseconds
    }
}

extension NumberGap {
    /// A number moved on, but not past the end of the numbers. One that is past it stays where it is.
    public static func move(_ last: Int64, by lead: Int64, within end: Int64) -> (number: Int64, hasRoom: Bool) {
        last > end - lead ? (max(last, end), false) : (last + lead, true)
    }
}
