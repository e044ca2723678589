public import Operating
import Scalars
public import ServerConfiguration
import Tables

/// `zumod table purge`: removes what is left of rows that were deleted long ago.
public struct TombstonePurge: Sendable {
    private let table: String
    private let age: Duration
    private let isClockRight: Bool

    /// Tombstones that go in one transaction: writers of clients wait no longer than for these.
    static let stepSize = 200
    /// The rest between two steps, for the writers of clients.
    static let pause = Duration.milliseconds(20)

    /// How far the clock may be ahead of the latest time that the database knows.
    private static let leap = Duration.seconds(7 * 86_400)

    /// - Parameters:
    ///   - olderThan: a whole number followed by `s`, `m`, `h` or `d`.
    ///   - isClockRight: whether the operator has confirmed the clock, however far ahead it is.
    /// - Throws: `usage` if it is something else.
    public init(of table: String, olderThan: String, isClockRight: Bool = false) throws(CommandFault) {
        self.table = table
        self.isClockRight = isClockRight
        guard let age = DurationArgument.parse(olderThan) else {
            throw .usage("--older-than takes a number with s, m, h or d behind it, such as 30d, not `\(olderThan)`")
        }
        self.age = age
    }

    /// Removes them, or only counts them.
    /// - Returns: what was done, in words.
    public func run(on configuration: Configuration, isTrial: Bool) async throws(CommandFault) -> String {
        try await OperatorDatabase.using(configuration) { database throws(CommandFault) in
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
        // Stamps may be ahead of the clock: those that are no age at all have no bound.
        let before = age == .zero ? ImportRow.latestStamp : now.earlier(by: age)
        let from = age == .zero ? "" : " from before \(before.wireText)"
        // What goes whatever its age goes by no clock.
        if !isTrial, age != .zero || isClockRight { try await check(now, on: store) }
        if isTrial {
            let count = try await CommandFault.asking(await store.countTombstones(of: found, before: before))
            return "\(found.name): \(count) tombstones are\(age == .zero ? " there" : from); nothing was removed"
        }
        let purged = try await CommandFault.asking(await Self.purge(found, before: before, on: store))
        let lines = ["\(purged.removed) tombstones\(from) are gone"] + Self.words(of: purged.kept)
        return lines.map { "\(found.name): \($0)" }.joined(separator: "\n")
    }

    /// What is removed by a clock that is wrong can't be brought back.
    private func check(_ now: Instant, on store: any TimeStore) async throws(CommandFault) {
        // Servers believe it then, too.
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

    /// Removes tombstones step by step.
    /// - Returns: how many are gone, and those that had to stay.
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
            // Ends early with the task that purges.
            if start != nil, (try? await Task.sleep(for: pause)) == nil { break }
        } while start != nil
        return (removed, kept)
    }

    /// The most that are named one by one.
    private static let named = 20

    /// Says which tombstones stay and why; nothing if none does.
    static func words(of kept: [RetainedTombstone]) -> [String] {
        kept.prefix(named).map { "the tombstone \($0.id.text) stays: \($0.reason)" }
            + (kept.count > named ? ["\(kept.count - named) more stay"] : [])
    }
}
