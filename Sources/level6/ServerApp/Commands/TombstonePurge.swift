public import Operating
import Scalars
public import ServerConfiguration
import Tables

/// `zumod table purge`: removes the tombstones of rows that were deleted long ago.
public struct TombstonePurge: Sendable {
    private let table: String
    private let age: Duration
    private let isClockRight: Bool

    /// How many tombstones are removed per transaction, which limits how long clients' writes have to wait.
    static let stepSize = 200
    /// The pause between two steps, for clients' writes.
    static let pause = Duration.milliseconds(20)

    /// How far the clock may be ahead of the latest time that the database knows.
    private static let leap = Duration.seconds(7 * 86_400)

    /// - Parameters:
    ///   - olderThan: a whole number followed by `s`, `m`, `h` or `d`.
    ///   - isClockRight: whether the operator has confirmed the clock, however far ahead it is.
    /// - Throws: `usage` if `olderThan` has another form.
    public init(of table: String, olderThan: String, isClockRight: Bool = false) throws(CommandFault) {
        self.table = table
        self.isClockRight = isClockRight
        guard let age = DurationArgument.parse(olderThan) else {
            throw .usage("--older-than takes a number with s, m, h or d behind it, such as 30d, not `\(olderThan)`")
        }
        self.age = age
    }

    /// Removes the tombstones, or only counts them.
    /// - Returns: a summary, in sentences.
    public func run(on configuration: Configuration, isTrial: Bool) async throws(CommandFault) -> String {
        let names = Set([Identifier(table)].compactMap(\.self))
        return try await OperatorDatabase.using(configuration, tables: names, isTrial: isTrial) {
            database throws(CommandFault) in
            try await run(on: database.store, isTrial: isTrial)
        }
    }

    private func run(
        on store: any TombstoneStore & TimeStore, isTrial: Bool
    ) async throws(CommandFault) -> String {
        guard let found = Identifier(table).flatMap({ store.table(named: $0) }) else {
            throw .data("the database has no table \(table)")
        }
        if found.isAway { throw .data(TableError.away(found.name).detail) }
        guard found.rules.softDelete else {
            throw .data("the table \(found.name) has no soft delete: its deleted rows are gone at once")
        }
        let now = SystemClock.now()
        // Stamps may be ahead of the clock, so without a minimum age there is no limit.
        let before = age == .zero ? ImportRow.latestStamp : now.earlier(by: age)
        let from = age == .zero ? "" : " from before \(before.wireText)"
        // If the age doesn't matter, neither does the clock.
        if !isTrial, age != .zero || isClockRight { try await check(now, on: store) }
        if isTrial {
            let count = try await CommandFault.asking(await store.countTombstones(of: found, before: before))
            return "\(found.name): \(count) tombstones are\(age == .zero ? " there" : from); nothing was removed"
        }
        let purged = try await CommandFault.asking(await Self.purge(found, before: before, on: store))
        let lines = ["\(purged.removed) tombstones\(from) are gone"] + Self.words(of: purged.kept)
        return lines.map { "\(found.name): \($0)" }.joined(separator: "\n")
    }

    /// Refuses a dubious clock, since removed tombstones can't be brought back.
    private func check(_ now: Instant, on store: any TimeStore) async throws(CommandFault) {
        // Servers will trust this time as well.
        if isClockRight { return try await CommandFault.asking(await store.remember(believed: now)) }
        let reading = try await CommandFault.asking(await store.timeReading())
        for (known, words) in [
            (reading.known, "the latest time that the database knows"), (reading.clock, "the database's own clock"),
        ] {
            guard let known, now.earlier(by: Self.leap) > known else { continue }
            throw .data(
                """
                the clock says \(now.wireText), but \(words) is \(known.wireText): if the clock is right, say so by \
                --clock-is-right
                """)
        }
    }

    /// Removes tombstones in steps.
    /// - Returns: how many were removed, and those that had to stay.
    static func purge(
        _ table: Table, before: Instant, on store: any TombstoneStore
    ) async throws(TableError) -> (removed: Int, kept: [RetainedTombstone]) {
        var removed = 0
        var kept: [RetainedTombstone] = []
        var seen: Set<RetainedTombstone> = []
        var start: Instant?
        repeat {
            let step = try await store.purgeTombstones(of: table, from: start, before: before, limit: stepSize)
            removed += step.removed
            // The last one of a step is the first of the next.
            kept += step.kept.filter { seen.insert($0).inserted }
            let isStuck = step.next != nil && step.next == start && step.removed == 0
            start = isStuck ? step.next.map { Instant(milliseconds: $0.milliseconds + 1) } : step.next
            // Stops early if the task is cancelled.
            if start != nil, (try? await Task.sleep(for: pause)) == nil { break }
        } while start != nil
        return (removed, kept)
    }

    /// The maximum number of tombstones that are listed individually.
    private static let named = 20

    /// Says which tombstones stay, and why; empty if none does.
    static func words(of kept: [RetainedTombstone]) -> [String] {
        kept.prefix(named).map { "the tombstone \($0.id.text) stays: \($0.reason)" }
            + (kept.count > named ? ["\(kept.count - named) more stay"] : [])
    }
}
