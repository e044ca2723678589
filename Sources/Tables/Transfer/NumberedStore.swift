/// A store whose numbers can be moved on, past those that it has given and doesn't know any more.
public protocol NumberedStore: TableStore {
    /// Moves on the version counter, the last stamp of every table, and the ids of every table that numbers its rows,
    /// whoever names the table: from what was given last, as far as counters or rows tell.
    func moveNumbersOn(by lead: NumberLead) async throws(TableError)
}

/// How far numbers are moved on.
public struct NumberLead: Sendable {
    /// Versions that are left out.
    public let versions: Int64
    /// Ids that are left out in each table that numbers its rows.
    public let ids: Int64
    /// How far the next stamp lies behind the last one or the clock.
    public let milliseconds: Int64

    /// Puts a lead together.
    public init(versions: Int64, ids: Int64, milliseconds: Int64) {
        self.versions = versions
        self.ids = ids
        self.milliseconds = milliseconds
    }
}
