import Scalars
import TableSQL
import Tables

/// The version counter and the last stamp of each table, kept in memory between batches and stored once per batch.
struct WriteCounters {
    private var version: Int64 = 0
    private var stamps: [Identifier: Instant] = [:]
    private var isDirty = false
    private var dirtyTables: Set<Identifier> = []
    /// The last version when the batch began, and the earlier stamps of the tables whose stamps it changed.
    private var versionBefore: Int64 = 0
    private var stampsBefore: [Identifier: Instant] = [:]
    /// The database's change counter when the numbers were last read, which changes with other connections' commits.
    private var dataVersion: Int64?

    /// - Throws: `failed` if there are no more versions.
    mutating func nextVersion() throws(TableError) -> Version {
        guard version < .max else {
            throw .failed(detail: "the database's versions have come to their end: `zumod verify` says what to do")
        }
        version += 1
        isDirty = true
        return Version(counter: version)
    }

    /// - Throws: `failed` if no later stamp is left.
    mutating func nextStamp(of table: Identifier, now: Instant) throws(TableError) -> Instant {
        let last = stamps[table] ?? Instant(milliseconds: 0)
        let next = Stamp.next(after: last, now: now)
        guard next <= .last else { throw Self.noStamp(of: table) }
        assert(next > last, "the stamps of a table only grow")
        stamps[table] = next
        if dirtyTables.insert(table).inserted { stampsBefore[table] = last }
        return next
    }

    /// Takes several consecutive stamps, the last of them close to the current time if there is room.
    /// - Returns: the first of them.
    /// - Throws: `failed` if there are not enough.
    mutating func nextStamps(
        _ count: Int64, of table: Identifier, now: Instant
    ) throws(TableError) -> Instant {
        let first = try nextStamp(of: table, now: Instant(milliseconds: now.milliseconds - count + 1))
        let last = Instant(milliseconds: first.milliseconds + count - 1)
        guard last <= .last else { throw Self.noStamp(of: table) }
        stamps[table] = last
        return first
    }

    private static func noStamp(of table: Identifier) -> TableError {
        .failed(detail: "the stamps of the table \(table) have come to their end: `zumod verify` says what to do")
    }

    /// Begins a batch, whose numbers `takeBack` releases.
    mutating func begin() {
        versionBefore = version
        if !stampsBefore.isEmpty { stampsBefore.removeAll(keepingCapacity: true) }
    }

    /// Returns to the numbers at the beginning of the batch. Those since can't have been seen, since it was rolled back
    /// before a commit was tried.
    mutating func takeBack() {
        assert(version >= versionBefore, "versions only grow within a batch")
        assert(stampsBefore.allSatisfy { $0.value <= stamps[$0.key] ?? $0.value }, "stamps only grow within a batch")
        version = versionBefore
        for (table, stamp) in stampsBefore { stamps[table] = stamp }
    }

    /// Moves the numbers past those of rows from another database.
    mutating func raise(version highest: Version?, stamp: Instant?, of table: Identifier) {
        if let highest, highest.counter > version {
            version = highest.counter
            isDirty = true
        }
        if let stamp, stamp > stamps[table] ?? Instant(milliseconds: 0) {
            stamps[table] = stamp
            dirtyTables.insert(table)
        }
    }

    /// Skips versions.
    /// - Returns: false if there aren't enough left.
    mutating func skipVersions(_ count: Int64) -> Bool {
        let moved = NumberGap.move(version, by: count, within: .max)
        version = moved.number
        isDirty = true
        return moved.hasRoom
    }

    /// The last assigned version.
    var lastVersion: Version { Version(counter: version) }

    /// Rereads the numbers if another program may have changed them. They never decrease.
    /// - Returns: whether another program has written since the last time.
    mutating func refresh(from connection: SQLiteConnection) throws(TableError) -> Bool {
        var current: Int64 = 0
        try connection.query(.dataVersion) { current = $0.integer(at: 0) }
        guard current != dataVersion else { return false }
        try follow(connection)
        dataVersion = current
        return true
    }

    /// Advances the numbers to those in the database. They never decrease.
    mutating func follow(_ connection: SQLiteConnection) throws(TableError) {
        version = max(version, try connection.lastVersion() ?? 0)
        for table in try connection.rows("SELECT name, last_stamp FROM zumod_tables") {
            guard let name = Identifier(table.words(0)), let stamp = table.instant(1) else { continue }
            stamps[name] = max(stamps[name] ?? stamp, stamp)
        }
    }

    /// Stores what has changed since the last time, before the commit.
    mutating func store(in connection: SQLiteConnection) throws(TableError) {
        if isDirty {
            try connection.run(.storeVersion, [.integer(version)])
        }
        for table in dirtyTables {
            guard let stamp = stamps[table] else { continue }
            try connection.run(.storeStamp, [.integer(stamp.milliseconds), .text(table.text)])
        }
    }

    /// Records that the stored numbers are committed.
    mutating func didCommit() {
        isDirty = false
        dirtyTables.removeAll(keepingCapacity: true)
    }
}
