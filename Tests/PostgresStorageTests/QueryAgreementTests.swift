import OData
import PostgresStorage
import PostgresTesting
import SQLiteStorage
import SeedTesting
import StorageTesting
import TableSQL
import Tables
import Testing

@Suite(.enabled(if: PostgresBackend.server != nil, "no server is given: run scripts/test-postgres"))
struct `Queries on PostgreSQL` {
    @Test func `filters and orders answer what they answer on SQLite`() async throws {
        let backend = try await PostgresBackend.prepared()
        defer { backend.remove() }
        let postgres = try await backend.open([QuerySamples.definition])
        let sqlite = try SQLiteTableStore.open(.memory, tables: [QuerySamples.definition], servesClientTables: false)
        for store in [postgres, sqlite] as [any TableStore] {
            let table = try #require(store.table(named: "samples"))
            for (number, row) in QuerySamples.rows.enumerated() {
                _ = try await store.insert(
                    row, id: .text("row \(number)"), in: table, into: RecordedRows())
            }
        }
        for text in [TextComparison.ignoringCase, .ordinal] {
            for (filter, order) in QuerySamples.filters.map({ ($0, "") }) + QuerySamples.orders.map({ ("", $0) }) {
                let expected = await Self.answer(of: sqlite, filter: filter, order: order, text: text)
                let found = await Self.answer(of: postgres, filter: filter, order: order, text: text)
                #expect(found == expected, "\(filter)\(order) \(text)")
            }
        }
        await sqlite.close()
        try await backend.close(postgres)
    }

    /// The ids that a query answers, or its error, in words.
    private static func answer(
        of store: any TableStore, filter: String, order: String, text: TextComparison
    ) async -> String {
        do {
            let table = try #require(store.table(named: "samples"))
            let options = try QueryOptions.parse([(name: "$filter", value: filter), (name: "$orderby", value: order)])
            var query = TableQuery(limit: 100)
            query.filter = options.filter
            query.order = options.order
            query.textComparison = text
            query.wantsCount = true
            let page = try await store.list(query, in: table, into: RecordedRows())
            return "\(page.rows.ids) of \(page.totalCount ?? -1)"
        } catch {
            return "\(error)"
        }
    }

    @Test func `every code point folds as on SQLite`() async throws {
        let backend = try await PostgresBackend.prepared()
        defer { backend.remove() }
        let session = try RawSession(backend.url)
        let functions: [(String, @Sendable (String) -> String)] = [
            ("zumod_fold", { TextFold.lowered($0) }), ("zumod_upper", { TextFold.uppered($0) }),
        ]
        for (function, change) in functions {
            let differing = try await Self.differing(in: function, from: change, on: session)
            // Letters that got their other case, or came to be, in Unicode 16, which the database's tables may not know.
            let known = differing.filter {
                $0 < 0x10D50 && !(0xA7C0...0xA7DF).contains($0) && ![0x19B, 0x264, 0x1C89, 0x1C8A].contains($0)
            }
            #expect(known.isEmpty, "\(function) \(differing.map { String($0, radix: 16) })")
        }
    }

    @Test func `every code point, and texts of many, have the same key as on SQLite`() async throws {
        let backend = try await PostgresBackend.prepared()
        defer { backend.remove() }
        let session = try RawSession(backend.url)
        let differing = try await Self.differing(in: "zumod_sorted", from: TextOrder.key, on: session)
        #expect(differing.isEmpty, "\(differing.map { String($0, radix: 16) })")
        var generator = SeededGenerator(seed: 14)
        // Marks, what decomposes, what came after Unicode 14.0, and all else.
        let blocks: [ClosedRange<UInt32>] = [
            0x41...0x7A, 0xC0...0x24F, 0x300...0x36F, 0x370...0x52F, 0x591...0x5C7, 0x1E00...0x1FFF, 0xAC00...0xD7A3,
            0x3040...0x30FF, 0x1100...0x11FF, 0x10EF0...0x10EFF, 0x2...0x2FFF, 0xE000...0x1FFFF,
        ]
        for _ in 0..<2000 {
            var text = ""
            for _ in 0..<Int.random(in: 1...8, using: &generator) {
                let block = blocks[Int.random(in: blocks.indices, using: &generator)]
                let number = UInt32.random(in: block, using: &generator)
                Unicode.Scalar(number).map { text.unicodeScalars.append($0) }
            }
            let key = try await session.run(
                "SELECT encode(convert_to(zumod_sorted(convert_from('\\x\(Self.hex(text))', 'UTF8')), 'UTF8'), 'hex')")
            #expect(key[0][0] == Self.stored(TextOrder.key(of: text)), "\(Self.hex(text))")
        }
    }

    /// The code points of which a function of the database makes something else than the server. Each block of them is
    /// one text, between spaces, since a call takes longer than what it calculates; one that differs is looked at singly.
    private static func differing(
        in function: String, from change: (String) -> String, on session: RawSession
    ) async throws -> [UInt32] {
        let blocks = try await session.run(
            """
            SELECT n / 256, encode(convert_to(\(function)(string_agg(chr(n), ' ' ORDER BY n)), 'UTF8'), 'hex')
            FROM generate_series(1, 1114111) AS n WHERE n NOT BETWEEN 55296 AND 57343 GROUP BY 1
            """)
        #expect(blocks.count == (0x110000 - 0x800) / 256)
        var differing: [UInt32] = []
        for block in blocks {
            let first = try #require(block[0].flatMap { UInt32($0) }) * 256
            let scalars = (max(1, first)..<first + 256).compactMap(Unicode.Scalar.init)
            guard block[1] != stored(change(scalars.map { String($0) }.joined(separator: " "))) else { continue }
            let singly = try await session.run(
                """
                SELECT n, encode(convert_to(\(function)(chr(n)), 'UTF8'), 'hex')
                FROM generate_series(\(max(1, first)), \(first + 255)) AS n
                """)
            let made = Dictionary(uniqueKeysWithValues: singly.map { ($0[0], $0[1]) })
            let others = scalars.filter { made["\($0.value)"] != stored(change(String($0))) }.map(\.value)
            #expect(!others.isEmpty, "\(function): the texts of the block \(first) differ")
            differing += others
        }
        return differing
    }

    /// A key as PostgreSQL has it, with the pair that stands for U+0000.
    private static func stored(_ key: String) -> String {
        key.unicodeScalars.map { $0 == "\0" ? "0101" : hex(String($0)) }.joined()
    }

    private static func hex(_ text: String) -> String {
        text.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
