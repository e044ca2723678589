import Foundation
import Scalars
import StorageTesting
import Synchronization
import TableSQL
import Tables
import Testing

@testable import SQLiteStorage

/// Batches run on the test's own thread, so that it decides what shares a commit.
@Suite struct `A batch of writes` {
    private let backend = SQLiteBackend.inFile()
    private let catalog = SQLiteTableCatalog([:])
    private let session: WriteSession
    private let table: Table
    private let answers = Answers()

    init() async throws {
        let store = try SQLiteTableStore.open(
            backend.location, tables: [TableDefinition(name: "t")], servesClientTables: false)
        table = try #require(store.table(named: "t"))
        await store.close()
        catalog.publish([table.name: table])
        session = WriteSession(
            try SQLiteConnection(backend.location, role: .writer), catalog: catalog, clock: { SystemClock.now() })
    }

    /// What callers were told, in order.
    private final class Answers: Sendable {
        private let told = Mutex<[String]>([])
        var all: [String] { told.withLock { $0 } }
        func add(_ answer: String) { told.withLock { $0.append(answer) } }
    }

    private func write(
        _ name: String, _ scope: SQLitePendingWrite.Scope = .whatever,
        _ body: @escaping @Sendable (WriteSession) throws(TableError) -> Void
    ) -> WriterJob {
        .write(
            SQLitePendingWrite(scope, body) { [answers] result in
                switch result {
                case .success: answers.add("\(name) done")
                case .failure(.failed), .failure(.refused): answers.add("\(name) failed")
                case .failure(.full): answers.add("\(name) full")
                case .failure(.unavailable): answers.add("\(name) unavailable")
                case .failure(let error): answers.add("\(name) \(error)")
                }
            })
    }

    private func insert(
        _ id: String, adding column: String? = nil, _ scope: SQLitePendingWrite.Scope = .oneRow
    ) -> WriterJob {
        let name = table.name
        let properties = column.map { [Property($0, .number(1))] } ?? []
        return write(id, scope) { session throws(TableError) in
            try session.insert(id, properties, into: name)
        }
    }

    private func ids() throws -> [String?] {
        try backend.query("SELECT id FROM t ORDER BY id").map(\.[0])
    }

    @Test func `is one commit`() throws {
        defer { backend.remove() }
        let seen = Mutex<[Int]>([])
        let backend = backend
        let looking = write("look") { _ throws(TableError) in
            seen.withLock { $0.append((try? backend.query("SELECT id FROM t").count) ?? -1) }
        }
        WriteBatch(session).run([insert("a"), looking, insert("b"), looking])
        #expect(seen.withLock { $0 } == [0, 0])
        #expect(try ids() == ["a", "b"])
        #expect(answers.all == ["a done", "look done", "b done", "look done"])
    }

    @Test func `goes on after a member that fails, and undoes that one whole`() throws {
        defer { backend.remove() }
        let name = table.name
        let failing = write("bad") { session throws(TableError) in
            try session.insert("bad", [Property("extra", .number(1))], into: name)
            throw .failed(detail: "on purpose")
        }
        WriteBatch(session).run([insert("a"), failing, insert("b", adding: "late")])
        #expect(answers.all == ["a done", "bad failed", "b done"])
        #expect(try ids() == ["a", "b"])
        #expect(catalog.table(named: name)?.columns.map(\.name) == ["late"])
    }

    @Test(arguments: [
        // What it leaves behind is among the changes that SQLite counts, and isn't.
        """
        CREATE TRIGGER half AFTER INSERT ON t WHEN NEW.id = 'bad'
        BEGIN UPDATE other SET n = n + 10; SELECT RAISE(FAIL, 'half'); END
        """,
        """
        CREATE TRIGGER second BEFORE UPDATE ON other WHEN OLD.n = 2 BEGIN SELECT RAISE(FAIL, 'half'); END;
        CREATE TRIGGER half BEFORE INSERT ON t WHEN NEW.id = 'bad' BEGIN UPDATE other SET n = n + 10; END
        """,
    ])
    func `undoes a statement that SQLite leaves half done`(triggers: String) throws {
        defer { backend.remove() }
        _ = try backend.query("CREATE TABLE other (n INTEGER); INSERT INTO other VALUES (1), (2); \(triggers)")
        WriteBatch(session).run([insert("a"), insert("bad"), insert("b")])
        #expect(answers.all == ["a done", "bad failed", "b done"])
        #expect(try ids() == ["a", "b"])
        #expect(try backend.query("SELECT n FROM other") == [["1"], ["2"]])
        WriteBatch(session).run([insert("bad")])
        #expect(answers.all.last == "bad failed")
        #expect(try ids() == ["a", "b"])
        #expect(try backend.query("SELECT n FROM other") == [["1"], ["2"]])
    }

    @Test func `is begun anew only for a write that may have left something behind`() throws {
        defer { backend.remove() }
        let begun = Mutex<[String]>([])
        let name = table.name
        func refused(_ word: String, after id: String? = nil, _ error: TableError) -> WriterJob {
            write(word, .oneRow) { session throws(TableError) in
                begun.withLock { $0.append(word) }
                if let id { try session.insert(id, into: name) }
                throw error
            }
        }
        WriteBatch(session).run([insert("a"), refused("untouched", .outsideScope), insert("b")])
        #expect(begun.withLock { $0 } == ["untouched"])
        WriteBatch(session).run([refused("written", after: "c", .outsideScope), insert("d")])
        WriteBatch(session).run([refused("broken", .failed(detail: "")), insert("e")])
        #expect(begun.withLock { $0 } == ["untouched", "written", "written", "broken", "broken"])
        #expect(try ids() == ["a", "b", "d", "e"])
        #expect(answers.all.filter { $0.hasSuffix(" done") } == ["a done", "b done", "d done", "e done"])
    }

    @Test func `takes up what other programs added to tables also where it is begun anew`() throws {
        defer { backend.remove() }
        WriteBatch(session).run([insert("a")])
        _ = try backend.query("ALTER TABLE t ADD COLUMN late REAL")
        let failing = write("bad", .oneRow) { _ throws(TableError) in throw .failed(detail: "on purpose") }
        WriteBatch(session).run([insert("b"), failing])
        #expect(catalog.table(named: table.name)?.columns.map(\.name) == ["late"])
        WriteBatch(session).run([insert("c", adding: "late")])
        #expect(answers.all == ["a done", "b done", "bad failed", "c done"])
    }

    @Test func `uses no version and no stamp twice, nor leaves any out where it is begun anew`() throws {
        defer { backend.remove() }
        let clock = Instant(milliseconds: 4_000_000_000_000)
        let session = WriteSession(
            try SQLiteConnection(backend.location, role: .writer), catalog: catalog, clock: { clock })
        let failing = write("bad", .oneRow) { _ throws(TableError) in throw .failed(detail: "on purpose") }
        let first = (0..<200).map { insert(String(format: "a%03d", $0)) }
        WriteBatch(session).run(first + [failing] + [insert("b")])
        WriteBatch(session).run([insert("c")])
        let rows = try backend.query("SELECT version, updatedAt FROM t ORDER BY id")
        #expect(rows.map(\.[0]) == (1...202).map { "\($0)" })
        #expect(rows.map(\.[1]) == (0..<202).map { Instant(milliseconds: clock.milliseconds + $0).wireText })
    }

    @Test func `whose commit fails fails every member and publishes nothing`() throws {
        defer { backend.remove() }
        _ = try backend.query(
            """
            CREATE TABLE parent (id INTEGER PRIMARY KEY);
            CREATE TABLE child (parent INTEGER REFERENCES parent (id) DEFERRABLE INITIALLY DEFERRED)
            """)
        try session.connection.run("PRAGMA foreign_keys = ON")
        let orphan = write("orphan") { session throws(TableError) in
            try session.connection.run("INSERT INTO child VALUES (1)")
        }
        WriteBatch(session).run([insert("a", adding: "extra"), orphan])
        #expect(answers.all == ["a failed", "orphan failed"])
        #expect(catalog.table(named: table.name)?.columns.isEmpty == true)
        #expect(try ids() == [])
        WriteBatch(session).run([insert("b")])
        #expect(try ids() == ["b"])
    }

    @Test func `whose transaction SQLite gives up fails what was in it and does the rest`() throws {
        defer { backend.remove() }
        let giveUp = write("giving up") { session throws(TableError) in
            try session.connection.run("ROLLBACK")
            throw .full
        }
        WriteBatch(session).run([insert("a"), giveUp, insert("b")])
        #expect(answers.all == ["a unavailable", "giving up full", "b done"])
        #expect(try ids() == ["b"])
    }

    @Test func `gives the numbers of a failed commit to no row`() throws {
        defer { backend.remove() }
        WriteBatch(session).run([insert("a")])
        try session.begin()
        let lost = try session.renewal(of: table.name)
        session.rollback()
        WriteBatch(session).run([insert("b")])
        let versions = try backend.query("SELECT version FROM t ORDER BY version").compactMap {
            $0[0].flatMap(Int64.init)
        }
        #expect(versions.count == 2 && !versions.contains(lost.version.counter))
    }

    @Test func `is followed by the reads that waited with it`() throws {
        defer { backend.remove() }
        let answers = answers
        let read = WriterJob.read { session in answers.add("read \(session.connection.isInTransaction)") }
        WriteBatch(session).run([read, insert("a")])
        #expect(answers.all == ["a done", "read false"])
    }
}

extension WriteSession {
    fileprivate func insert(
        _ id: String, _ properties: [Property] = [], into name: Identifier
    ) throws(TableError) {
        var write = RowWrite(.insert, of: .text(id), in: name, RowUpdate(properties))
        _ = try write.check(in: table(named: name))
        _ = try perform(write)
    }
}
