import Foundation
import Platform
import StorageTesting
import StoreMetrics
import Tables
import Testing

@testable import SQLiteStorage

/// They share a transaction, in which nobody may be shown what was before a commit that somebody was told of.
@Suite struct `Short reads of one turn of an event loop` {
    private static let value = "SELECT value FROM numbers"

    /// A database with one number, connections that read it, and one that writes.
    private static func withNumber(
        _ body: (SQLiteReaders, SQLiteConnection) throws -> Void
    ) throws {
        let backend = SQLiteBackend.inFile()
        defer { backend.remove() }
        guard case .file(let path) = backend.location else { return }
        try FileManager.default.createDirectory(
            at: URL(filePath: path).deletingLastPathComponent(), withIntermediateDirectories: true)
        let writer = try SQLiteConnection(backend.location, role: .writer)
        try writer.run(script: "CREATE TABLE numbers (value INTEGER); INSERT INTO numbers VALUES (1)")
        let readers = SQLiteReaders(backend.location, StoreInstrumentation())
        try body(readers, writer)
        #expect(LoopIteration.current == nil)
        #expect(readers.freeCount == 1)
        readers.close()
    }

    private static func number(_ readers: SQLiteReaders, _ commits: CommitCount) throws(TableError) -> Int64 {
        try readers.readBriefly(commits) { connection throws(TableError) in
            var number: Int64 = 0
            try connection.query(value) { number = $0.integer(at: 0) }
            return number
        }
    }

    private static func fail(_ readers: SQLiteReaders, _ commits: CommitCount) throws(TableError) {
        try readers.readBriefly(commits) { connection throws(TableError) in
            try connection.run("SELECT nothing FROM nowhere")
        }
    }

    @Test func `see what was committed between them`() throws {
        try Self.withNumber { readers, writer in
            let (iteration, commits) = (LoopIteration(), CommitCount())
            for next in 1...5 {
                #expect(try Self.number(readers, commits) == next)
                #expect(try Self.number(readers, commits) == next)
                try writer.run("UPDATE numbers SET value = value + 1")
                commits.increment()
            }
            iteration.end()
        }
    }

    @Test func `see one state else, and the next turn sees what another program wrote`() throws {
        try Self.withNumber { readers, writer in
            let (iteration, commits) = (LoopIteration(), CommitCount())
            for next in 1...3 {
                for _ in 0..<2 { #expect(try Self.number(readers, commits) == next) }
                try writer.run("UPDATE numbers SET value = value + 1")
                #expect(try Self.number(readers, commits) == next)
                iteration.end()
            }
        }
    }

    @Test func `go on after one that failed`() throws {
        try Self.withNumber { readers, _ in
            let (iteration, commits) = (LoopIteration(), CommitCount())
            for _ in 0..<3 {
                #expect(throws: TableError.self) { try Self.fail(readers, commits) }
                let number = try Self.number(readers, commits)
                #expect(number == 1)
            }
            iteration.end()
        }
    }

    @Test func `leave no transaction open behind the turn, of one database or of several`() throws {
        try Self.withNumber { first, firstWriter in
            try Self.withNumber { second, secondWriter in
                let (iteration, commits) = (LoopIteration(), CommitCount())
                for readers in [first, first, second, second, first, first] {
                    #expect(try Self.number(readers, commits) == 1)
                }
                iteration.end()
                // A log that somebody still reads can't be cut.
                for writer in [firstWriter, secondWriter] {
                    var isBusy: Int64 = 1
                    try writer.query("PRAGMA wal_checkpoint(TRUNCATE)") { isBusy = $0.integer(at: 0) }
                    #expect(isBusy == 0)
                }
            }
        }
    }
}
