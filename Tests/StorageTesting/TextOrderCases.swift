import OData
import SeedTesting
import Tables
import Testing

extension ConformanceCase {
    /// The order of text in v1 and v2.
    public static let textOrder: [ConformanceCase] = [
        ConformanceCase("text is listed without regard to case and accents, and page by page as at once") { bench in
            for definition in [TableDefinition.todo(), indexed] {
                let (store, table) = try await bench.open(definition)
                try await fill(table, of: store)
                for isDescending in [false, true] {
                    let expected = (isDescending ? ranks.reversed() : ranks).flatMap { $0.sorted() }
                    var query = TableQuery(limit: 100)
                    query.order = [OrderTerm(.column("text", at: 0), isDescending: isDescending)]
                    #expect(try await store.list(query, in: table).rows.ids == expected)
                    for limit in [1, 7] {
                        query.limit = limit
                        query.after = nil
                        var ids: [String] = []
                        repeat {
                            let page = try await store.list(query, in: table)
                            ids += page.rows.ids
                            query.after = page.cursor
                        } while query.after != nil && ids.count <= expected.count
                        // The reference store knows no pages behind a row.
                        if ids.count > limit { #expect(ids == expected, "\(limit)") }
                    }
                }
            }
        },
        ConformanceCase("text compares with text as it is listed, and equals what differs in case alone") { bench in
            for definition in [TableDefinition.todo(), indexed] {
                let (store, table) = try await bench.open(definition)
                try await fill(table, of: store)
                for (rank, ids) in ranks.enumerated() {
                    for text in ids.map({ texts[$0] ?? "" }) {
                        let upTo = ranks[...rank].joined()
                        let comparisons: [(BinaryOperator, [String])] = [
                            (.less, Array(ranks[..<rank].joined())), (.lessOrEqual, Array(upTo)),
                            (.greater, Array(ranks[(rank + 1)...].joined())),
                            (.greaterOrEqual, Array(ranks[rank...].joined())),
                        ]
                        for (binary, expected) in comparisons {
                            let found = try await list(table, of: store, binary, text)
                            #expect(found == expected.sorted(), "\(binary.rawValue) \(text)")
                        }
                        let same = ids.filter { lowered(texts[$0] ?? "") == lowered(text) }
                        #expect(try await list(table, of: store, .equal, text) == same.sorted(), "\(text)")
                    }
                }
            }
        },
        ConformanceCase("an order by an index is the order without it, whatever the texts and the generation are") {
            bench in
            var generator = SeededGenerator.printed("order by an index, in each store")
            let columns = [Column("text", .string), Column("note", .string), Column("number", .integer)]
            let definitions = [
                TableDefinition(name: "bare", columns: columns),
                TableDefinition(
                    name: "indexed", columns: columns, indexes: [["text"], ["number", "text"], ["note", "text"]]),
            ]
            let store = try await bench.open(definitions)
            let tables = try definitions.map { try #require(store.table(named: $0.name)) }
            let pieces = Array(texts.values) + ["a", "A", "b", "Z", "~", " ", "\u{0}", "\u{1}"]
            for row in 0..<60 {
                let text = (0...2).map { _ in Value.text(generator.pick(pieces) + generator.pick(pieces)) }
                for table in tables {
                    try await store.insert(
                        "row \(row * 37 % 101)",
                        [
                            "text": row % 9 == 0 ? .null : text[0], "note": row % 2 == 0 ? text[1] : .text("Note"),
                            "number": .integer(Int64(row % 3)),
                        ], in: table)
                }
            }
            for order in [
                "text", "text desc", "note desc,text desc", "number,text", "note,text desc", "number desc,note",
            ] {
                for isOrdinal in [false, true] {
                    var query = TableQuery(limit: 100)
                    query.textComparison = isOrdinal ? .ordinal : .ignoringCase
                    query.order = try QueryOptions.parse([("$orderby", order)]).order
                    if generator.chance(50) {
                        let bound = Expression.literal(.text(generator.pick(pieces)), at: 0)
                        query.filter = .binary(
                            generator.pick([.less, .greaterOrEqual]), .column("text", at: 0), bound, at: 0)
                    }
                    let expected = try await store.list(query, in: tables[0]).rows.ids
                    #expect(try await store.list(query, in: tables[1]).rows.ids == expected, "\(order)")
                    query.limit = generator.pick([1, 3, 8])
                    var ids: [String] = []
                    repeat {
                        let page = try await store.list(query, in: tables[1])
                        ids += page.rows.ids
                        query.after = page.cursor
                    } while query.after != nil && ids.count <= expected.count
                    // The reference store knows no pages behind a row.
                    if ids.count > query.limit { #expect(ids == expected, "\(order) by \(query.limit)") }
                }
            }
        },
    ]

    private static let indexed: TableDefinition = .todo { definition in
        definition.name = "indexed"
        definition.indexes = [["text"]]
    }

    /// In their order, and side by side where the id decides.
    private static let groups: [[String]] = [
        [""], [" space", "\u{A0}space"], ["①"], ["10"], ["5"], ["_"], ["Ａbc"], ["abd"], ["Amadeus"],
        ["AMÉLIE", "Ame\u{301}lie", "Amélie"], ["American Beauty"], ["Amores Perros"], ["Apfel"],
        ["A\u{308}pfel", "Äpfel"], ["cote"], ["coté"], ["côte"], ["côté"], ["cotelette"], ["Dž", "ǆ"],
        ["e\u{302}\u{323}", "e\u{323}\u{302}", "\u{1EC7}"], ["fin", "\u{FB01}n"], ["fine"], ["ilik"],
        ["Istanbul", "istanbul"], ["İstanbul"], ["Lodz"], ["Lódz"], ["naive\u{301}"], ["naïve"], ["Ol"], ["Öl"],
        ["Strase"], ["STRASSE", "Straße"], ["Strudel"], ["x2", "x²"], ["x3"], ["Zazolc"], ["Zażółć"], ["Zebra"],
        ["zoe"], ["zoë"], ["~"], ["ılık"], ["Łódź"], ["ΑΘΗΝΑ", "αθηνα"], ["Αθήνα"], ["ΟΔΟΣ", "οδοσ"], ["οδός"],
        ["ёж"], ["елка"], ["Ёлка"], ["Жук"], ["\u{1100}\u{1161}", "가"], ["각"], ["가中"], ["나"], ["カ"],
        ["ガ", "ｶ\u{FF9E}"], ["中文"], ["日本"], ["🎉"], ["👩\u{200D}👩\u{200D}👧"],
    ]

    /// The texts by ids that don't tell their order.
    private static let texts: [String: String] = Dictionary(uniqueKeysWithValues: zip(ranks.joined(), groups.joined()))

    private static let ranks: [[String]] = {
        var number = 0
        return groups.map { group in
            group.map { _ in
                number += 1
                return "row \(number * 37 % 101)"
            }
        }
    }()

    private static func fill(_ table: Table, of store: any TableStore) async throws {
        for (id, text) in texts { try await store.insert(id, ["text": .text(text)], in: table) }
    }

    private static func list(
        _ table: Table, of store: any TableStore, _ binary: BinaryOperator, _ text: String
    ) async throws -> [String] {
        var query = TableQuery(limit: 100)
        query.filter = .binary(binary, .column("text", at: 0), .literal(.text(text), at: 0), at: 0)
        return try await store.list(query, in: table).rows.ids.sorted()
    }

    /// Equal texts have the same code points in lower case.
    private static func lowered(_ text: String) -> [Unicode.Scalar] { ReferenceText.lowered(text) }
}
