import OData
import SQLiteMigrations
import StorageTesting
import Synchronization
import Tables
import Testing

@testable import SQLiteStorage

@Suite struct `Receipts of writes` {
    /// Moved by the test, read by the writer.
    private final class SteppingClock: Sendable {
        let now = Mutex(Instant(milliseconds: 1_800_000_000_000))
    }

    @Test func `are swept when their window is over`() throws {
        let connection = try SQLiteConnection(.memory, role: .writer)
        try MigrationRunner(connection: connection, migrations: SQLiteMigrations.all).run()
        let clock = SteppingClock()
        let session = WriteSession(connection, catalog: TableCatalog([:])) { clock.now.withLock { $0 } }
        try session.begin()
        let name: Identifier = "todo"
        let table = try SchemaPreparation(session).prepare(TableDefinition(name: name), origin: .client)
        let changes = try table.changes(from: [], for: .insert)
        for number in 0..<1_000 {
            // A hundred writes to a window.
            clock.now.withLock { $0 = Instant(milliseconds: $0.milliseconds + 600) }
            let key = (0..<16).map { UInt8(truncatingIfNeeded: number >> ($0 % 2 * 8)) }
            let write = RowWrite(
                action: .insert(changes, from: [], id: .text("\(number)"), deleted: false), table: name,
                scope: nil,
                receipt: WriteReceipt(key: key, isOnce: false, window: .seconds(60)))
            #expect(try session.perform(write, into: RecordedRows()).outcome == .written)
        }
        try session.commit()
        var count: Int64 = 0
        try connection.query("SELECT count(*) FROM zumod_receipts") { count = $0.integer(at: 0) }
        #expect((100...135).contains(count))
        connection.close()
    }
}
