import Scalars
import TableSQL
import Tables

/// A transaction's turn to write: the locks of its tables, and the stamps and versions taken while it holds them, so
/// that these become visible in order.
struct WriteTurn {
    /// For finding the server's process if it outlives its connection.
    let process: (transaction: String, start: Int64)
    /// The schema number of the database.
    let epoch: Int64
    /// The next stamp of each table.
    private var stamps: [Identifier: Instant] = [:]
    /// The remaining versions, the next one last.
    private var versions: [Int64] = []

    /// Returns the next stamp and version; nil if there is no such table.
    mutating func nextRenewal(of table: Identifier) -> VersionBump? {
        guard let stamp = stamps[table], let version = versions.popLast() else { return nil }
        stamps[table] = stamp.next
        return VersionBump(version: Version(counter: version), stamp: stamp)
    }
}

extension WriteTurn {
    /// The statements that take a turn, in a batch that hasn't run yet.
    struct Request {
        /// The tables to lock, as the database spells them.
        let tables: [String]
        private let stamps: [(table: Identifier, first: StatementBatch.Place<Instant?>)]
        private let numbers: StatementBatch.Place<PostgresResult>

        /// - Parameter writes: the table of each write.
        init(_ writes: [Identifier], now: Instant, in batch: inout StatementBatch) {
            var counts: [String: (name: Identifier, count: Int64)] = [:]
            for name in writes { counts[name.text, default: (name, 0)].count += 1 }
            // All transactions lock in this order, so that there are no deadlocks.
            let sorted = counts.values.sorted { $0.name.text < $1.name.text }
            tables = sorted.map(\.name.text)
            stamps = sorted.map { name, count in
                let first = batch.add(WriteTurn.takeStamps(of: name, count, now: now)) { result in
                    result.rowCount > 0 ? Instant(milliseconds: result.integer(0, 0) - count + 1) : nil
                }
                return (name, first)
            }
            numbers = batch.add(
                SQLText(WriteTurn.takeVersions, [.integer(Int64(max(writes.count, 1)))]))
        }

        /// Returns the turn, once the batch has run.
        func turn(by answers: StatementBatch.Answers) -> WriteTurn {
            let numbers = answers[numbers]
            return WriteTurn(
                process: (numbers.string(0, 2), numbers.integer(0, 3)), epoch: numbers.integer(0, 1),
                stamps: Dictionary(
                    stamps.compactMap { table, first in answers[first].map { (table, $0) } },
                    uniquingKeysWith: { _, last in last }),
                versions: (0..<numbers.rowCount).reversed().map { numbers.integer($0, 0) })
        }
    }

    /// `Stamp.next` for a number of writes, in the statement that locks the table; returns the last of the stamps.
    private static func takeStamps(of table: Identifier, _ count: Int64, now: Instant) -> SQLText {
        SQLText(
            """
            UPDATE zumod_tables SET last_stamp = greatest(last_stamp + 1, $1::int8) + $2::int8 - 1
            WHERE name = $3::text RETURNING last_stamp
            """, [.integer(now.milliseconds), .integer(count), .text(table.text)])
    }

    /// Runs after the tables are locked. The setting tells the triggers that the transaction has its turn.
    private static let takeVersions = """
        SELECT nextval('zumod_version'), (SELECT epoch FROM zumod_schema), (SELECT pg_current_xact_id()::text),
            (SELECT (extract(epoch FROM now()) * 1000000)::int8), (SELECT set_config('zumod.writes', 'on', true))
        FROM generate_series(1, $1::int8)
        """
}
