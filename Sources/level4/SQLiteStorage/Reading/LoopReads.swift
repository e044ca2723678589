import Platform
import Synchronization
import Tables

/// The number of the writer's commits. Each is counted before anyone learns of it.
final class CommitCount: Sendable {
    private let count = Atomic<UInt>(0)

    var value: UInt { count.load(ordering: .acquiring) }

    func increment() {
        count.add(1, ordering: .releasing)
    }
}

/// The short reads of one turn of an event loop, in one transaction as long as nothing is committed: beginning and
/// ending one costs more than reading a row.
final class LoopReads: LoopIteration.Share {
    private let readers: SQLiteReaders
    private let connection: SQLiteConnection
    private let commits: CommitCount
    private var count = 0
    /// The commit count before the open transaction; nil if none is open.
    private var openedAt: UInt?

    init(_ readers: SQLiteReaders, _ commits: CommitCount) throws(TableError) {
        self.readers = readers
        self.commits = commits
        connection = try readers.take()
    }

    func isOf(_ readers: SQLiteReaders) -> Bool { self.readers === readers }

    /// - Parameter body: must not begin a transaction.
    func read<Success>(_ body: (SQLiteConnection) throws(TableError) -> Success) throws(TableError) -> Success {
        count += 1
        // Callers that were told of a commit must be able to read what it wrote.
        if let openedAt, openedAt != commits.value { close() }
        // The first read of a turn needs no explicit transaction.
        if openedAt == nil, count > 1 {
            let before = commits.value
            try connection.run(.begin)
            openedAt = before
        }
        return try body(connection)
    }

    func turnEnds() {
        close()
        readers.giveBack(connection)
    }

    private func close() {
        openedAt = nil
        // An error that ended the transaction was already reported to the read that met it.
        if connection.isInTransaction { try? connection.run(.commit) }
    }
}

extension SQLiteReaders {
    /// Lends a connection for a short read that begins no transaction, on an event loop or elsewhere.
    func readBriefly<Success>(
        _ commits: CommitCount, _ body: (SQLiteConnection) throws(TableError) -> Success
    ) throws(TableError) -> Success {
        guard let iteration = LoopIteration.current else { return try read(body) }
        if let reads = iteration.shared(as: LoopReads.self, where: { $0.isOf(self) }) { return try reads.read(body) }
        let reads = try LoopReads(self, commits)
        iteration.keep(reads)
        return try reads.read(body)
    }
}
