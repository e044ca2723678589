import OData
public import Operating
public import ServerConfiguration
import Tables

/// `zumod table purge`: removes what is left of rows that were deleted long ago.
public struct TombstonePurge: Sendable {
    private let table: String
    private let age: Duration

    /// Tombstones that go in one transaction: writers of clients wait no longer than for these.
    static let stepSize = 200
    /// The rest between two steps, for the writers of clients.
    static let pause = Duration.milliseconds(20)

    /// - Parameter olderThan: a whole number with `s`, `m`, `h` or `d` behind it.
    /// - Throws: `usage` where it is something else.
    public init(of table: String, olderThan: String) throws(CommandFault) {
        self.table = table
        guard let age = WrittenDuration.parse(olderThan) else {
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
        on store: any TableStore & TombstoneStore, isTrial: Bool
    ) async throws(CommandFault) -> String {
        guard let found = Identifier(table).flatMap({ store.table(named: $0) }) else {
            throw .data("the database has no table \(table)")
        }
        guard found.rules.softDelete else {
            throw .data("the table \(found.name) has no soft delete: its deleted rows are gone at once")
        }
        let before = SystemClock.now().earlier(by: age)
        do throws(TableError) {
            if isTrial {
                let count = try await store.countTombstones(of: found, before: before)
                return "\(found.name): \(count) tombstones are from before \(before.wireText); nothing was removed"
            }
            let removed = try await Self.purge(found, before: before, on: store)
            return "\(found.name): \(removed) tombstones from before \(before.wireText) are gone"
        } catch {
            throw .application(StartFault(error))
        }
    }

    /// Removes tombstones step by step.
    /// - Returns: how many are gone.
    static func purge(
        _ table: Table, before: Instant, on store: any TombstoneStore
    ) async throws(TableError) -> Int {
        var removed = 0
        var start: Instant?
        repeat {
            let step = try await store.purgeTombstones(of: table, from: start, before: before, limit: stepSize)
            removed += step.removed
            start = step.next
            // Ends early with the task that purges.
            if start != nil, (try? await Task.sleep(for: pause)) == nil { break }
        } while start != nil
        return removed
    }
}

extension Instant {
    /// The instant that lies so far back.
    func earlier(by duration: Duration) -> Instant {
        Instant(milliseconds: milliseconds - duration.components.seconds * 1_000)
    }
}
