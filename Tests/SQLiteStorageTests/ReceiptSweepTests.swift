import Scalars
import StorageTesting
import Synchronization
import TableSQL
import Tables
import Testing

@testable import SQLiteStorage

@Suite struct `Receipts of writes` {
    /// Moved by the test, read by the writer.
    private final class SteppingClock: Sendable {
        let now = Mutex(Instant(milliseconds: 1_800_000_000_000))

        func move(by milliseconds: Int64) {
            now.withLock { $0 = Instant(milliseconds: $0.milliseconds + milliseconds) }
        }
    }

    private let connection: SQLiteConnection
    private let session: WriteSession
    private let table: Table
    private let clock = SteppingClock()

    init() throws {
        connection = try SQLiteConnection(.memory, role: .writer)
        try connection.migrateAlone()
        session = WriteSession(connection, catalog: SQLiteTableCatalog([:])) { [clock] in clock.now.withLock { $0 } }
        try session.begin()
        table = try SQLiteSchemaPreparation(session).prepare(TableDefinition(name: "todo"), origin: .client)
    }

    private func receipt(_ number: Int, isOnce: Bool = false) -> WriteReceipt {
        let key = (0..<16).map { UInt8(truncatingIfNeeded: number >> ($0 % 2 * 8)) }
        return WriteReceipt(key: key, isOnce: isOnce, window: .seconds(60))
    }

    private func insert(_ number: Int, isOnce: Bool = false) throws -> SQLiteRowWriteResult {
        var write = RowWrite(
            .insert, of: .text("\(number)"), in: table.name, receipt: receipt(number, isOnce: isOnce))
        _ = try write.check(in: table)
        return try session.perform(write)
    }

    private func write(_ numbers: Range<Int>, every milliseconds: Int64, isOnce: Bool = false) throws {
        for number in numbers {
            clock.move(by: milliseconds)
            #expect(try insert(number, isOnce: isOnce).outcome == .written)
        }
    }

    private func count(in table: String) throws -> Int64 {
        var count: Int64 = 0
        try connection.query("SELECT count(*) FROM \(table)") { count = $0.integer(at: 0) }
        return count
    }

    @Test(arguments: [(false, "zumod_row_receipts"), (true, "zumod_receipts")])
    func `are swept when their window is over`(isOnce: Bool, kept: String) throws {
        // A hundred writes to a window.
        try write(0..<1_000, every: 600, isOnce: isOnce)
        #expect((100...135).contains(try count(in: kept)))
        #expect(try count(in: "zumod_receipts") + count(in: "zumod_row_receipts") == count(in: kept))
        connection.close()
    }

    @Test func `stay while their window lasts, however many they are, and don't heap up behind it`() throws {
        // A thousand writes to a window.
        try write(0..<5_000, every: 60)
        for number in 4_001..<5_000 { #expect(try insert(number).isRepeat) }
        for number in 3_000..<3_999 { #expect(try insert(number).outcome == .duplicate) }
        #expect((1_000...1_035).contains(try count(in: "zumod_row_receipts")))
        // Then a few: the many go all the same.
        try write(5_000..<5_500, every: 6_000)
        #expect((10...45).contains(try count(in: "zumod_row_receipts")))
        connection.close()
    }

    @Test func `of a clock that was far ahead keep no others`() throws {
        clock.move(by: 365 * 86_400_000)
        try write(0..<10, every: 1)
        clock.move(by: -365 * 86_400_000)
        try write(10..<1_000, every: 600)
        #expect((100...135).contains(try count(in: "zumod_row_receipts")))
        connection.close()
    }

    @Test func `of a clock that was set back a little are known`() throws {
        try write(0..<40, every: 10)
        clock.move(by: -30_000)
        try write(40..<80, every: 10)
        for number in 0..<80 { #expect(try insert(number).isRepeat) }
        connection.close()
    }

    @Test func `that were kept by their keys before the update of the server are known`() throws {
        let written = try insert(7)
        #expect(!written.isRepeat)
        try connection.run(
            """
            INSERT INTO zumod_receipts (key, written_at, version)
            SELECT '\(String(repeating: "0700", count: 8))', written_at, version FROM zumod_row_receipts
            """)
        try connection.run("DELETE FROM zumod_row_receipts")
        #expect(try insert(7).isRepeat)
        connection.close()
    }

    @Test func `are of one request alone`() throws {
        #expect(try insert(1).outcome == .written)
        var other = RowWrite(.insert, of: .text("1"), in: table.name, receipt: receipt(2))
        _ = try other.check(in: table)
        #expect(try session.perform(other).outcome == .duplicate)
        connection.close()
    }
}
