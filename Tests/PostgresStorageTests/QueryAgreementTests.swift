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
        let backend = try PostgresBackend.make()
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
        let backend = try PostgresBackend.make()
        defer { backend.remove() }
        let store = try await backend.open([])
        let rows = try await RawSession(backend.url).run(
            """
            SELECT n, encode(convert_to(zumod_fold(chr(n)), 'UTF8'), 'hex'),
                encode(convert_to(zumod_upper(chr(n)), 'UTF8'), 'hex')
            FROM generate_series(1, 1114111) AS n WHERE n NOT BETWEEN 55296 AND 57343
                AND (zumod_fold(chr(n)) <> chr(n) OR zumod_upper(chr(n)) <> chr(n))
            """)
        var folded: [UInt32: (lower: String, upper: String)] = [:]
        for row in rows {
            guard let number = row[0].flatMap({ UInt32($0) }), let lower = row[1], let upper = row[2] else { continue }
            folded[number] = (lower, upper)
        }
        var differing: [String] = []
        for number in UInt32(1)...0x10FFFF {
            guard let scalar = Unicode.Scalar(number) else { continue }
            let text = String(scalar)
            let (lower, upper) = (TextFold.lowered(text), TextFold.uppered(text))
            if let found = folded[number] {
                if found.lower == Self.hex(lower), found.upper == Self.hex(upper) { continue }
            } else if lower.utf8.elementsEqual(text.utf8), upper.utf8.elementsEqual(text.utf8) {
                continue
            }
            differing.append(String(number, radix: 16))
        }
        // Letters that got their other case, or came to be, in Unicode 16, which the database's tables may not know.
        let known = differing.filter {
            UInt32($0, radix: 16).map {
                $0 < 0x10D50 && !(0xA7C0...0xA7DF).contains($0) && ![0x19B, 0x264, 0x1C89, 0x1C8A].contains($0)
            } ?? true
        }
        #expect(known.isEmpty, "\(differing)")
        try await backend.close(store)
    }

    @Test func `every code point, and texts of many, have the same key as on SQLite`() async throws {
        let backend = try PostgresBackend.make()
        defer { backend.remove() }
        let store = try await backend.open([])
        let session = try RawSession(backend.url)
        let found = try await session.run(
            """
            SELECT n, encode(convert_to(zumod_sorted(chr(n)), 'UTF8'), 'hex') FROM generate_series(1, 1114111) AS n
            WHERE n NOT BETWEEN 55296 AND 57343 AND zumod_sorted(chr(n)) <> chr(n)
            """)
        var keys: [UInt32: String] = [:]
        for row in found { if let number = row[0].flatMap({ UInt32($0) }) { keys[number] = row[1] } }
        for number in UInt32(1)...0x10FFFF {
            guard let scalar = Unicode.Scalar(number) else { continue }
            let (text, key) = (String(scalar), keys[number])
            guard
                TextOrder.key(of: text).unicodeScalars.elementsEqual(text.unicodeScalars)
                    ? key != nil
                    : key != Self.stored(TextOrder.key(of: text))
            else { continue }
            Issue.record("\(String(number, radix: 16)): \(key ?? "itself")")
        }
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
        try await backend.close(store)
    }

    /// A key as PostgreSQL has it, with the pair that stands for U+0000.
    private static func stored(_ key: String) -> String {
        key.unicodeScalars.map { $0 == "\0" ? "0101" : hex(String($0)) }.joined()
    }

    private static func hex(_ text: String) -> String {
        text.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
