import MetricSeries
import SQLiteStorage
import Scalars
import ServerLogging
import Synchronization
import Tables
import Testing

@testable import ServerApp

@Suite struct `Watching the clock` {
    @Test func `stamps of the clock that is in question prove nothing for it`() async throws {
        let past = Instant(milliseconds: 1_600_000_000_000)
        let clock = ToldTime(past)
        let name = try #require(Identifier("notes"))
        let store = try SQLiteTableStore.open(
            .memory, tables: [TableDefinition(name: name)], servesClientTables: false
        ) { clock.now }
        let table = try #require(store.table(named: name))
        _ = try await store.write(
            RowWrite(.insert, of: .text("a"), in: table.name), in: table, into: RowRecord())
        let known = try #require(try await store.timeReading().known)
        let watch = ClockMonitor(
            time: TrustedTime(), store: store, registry: MetricRegistry(),
            logger: Log(CurrentLogSettings()) { _ in })
        #expect(await watch.ask())
        // The server goes on with a clock that is years ahead.
        clock.now = Instant(milliseconds: past.milliseconds + 86_400_000_000)
        _ = try await store.write(
            RowWrite(.insert, of: .text("b"), in: table.name), in: table, into: RowRecord())
        let reading = try await store.timeReading()
        #expect(reading.known == known && reading.latestStamp != known)
        await store.close()
    }
}

/// A clock that is set by hand.
private final class ToldTime: Sendable {
    private let state: Mutex<Instant>
    var now: Instant {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }

    init(_ now: Instant) { state = Mutex(now) }
}
