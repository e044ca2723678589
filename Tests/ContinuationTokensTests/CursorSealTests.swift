import ContinuationTokens
import OData
import Scalars
import Tables
import Testing

@Suite("The seal on continuations")
struct CursorSealTests {
    private let seal = CursorSeal(key: Array(repeating: 7, count: 32))
    private let table: Identifier
    private static let cursor = PageCursor(values: [.text("Café"), .null, .integer(-5)], id: .text("a b"))

    init() throws {
        table = try #require(Identifier("todo"))
    }

    private func query(
        _ filter: String? = "price gt 1", order: String? = "title,price desc",
        _ change: (inout TableQuery) -> Void = { _ in }
    ) throws -> TableQuery {
        var members: [(String, String)] = []
        if let filter { members.append(("$filter", filter)) }
        if let order { members.append(("$orderby", order)) }
        let options = try QueryOptions.parse(members, language: .datasync)
        var query = TableQuery(limit: 50)
        query.filter = options.filter
        query.order = options.order
        change(&query)
        return query
    }

    @Test(arguments: [
        cursor,
        PageCursor(values: [], id: .integer(.min)),
        PageCursor(values: [.boolean(true), .boolean(false)], id: .text("")),
        PageCursor(values: [.number(-0.1), .number(.infinity), .integer(.max)], id: .text("\u{0}\u{FFFD}🎈")),
        PageCursor(values: [.date(Instant(milliseconds: -1)), .text("")], id: .integer(0)),
    ])
    func `a place comes back as it was`(cursor: PageCursor) throws {
        let text = try #require(seal.text(of: cursor, in: try query(), of: table))
        let isPlain = text.utf8.allSatisfy {
            (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0) || $0 == 45 || $0 == 95
        }
        #expect(isPlain)
        #expect(seal.place(from: text, in: try query(), of: table) == SealedCursor(cursor: cursor, count: nil))
    }

    @Test(arguments: [0, 1, 500_000, Int64.max]) func `a count comes back with its place`(count: Int64) throws {
        let text = try #require(seal.text(of: Self.cursor, count: count, in: try query(), of: table))
        #expect(
            seal.place(from: text, in: try query(), of: table) == SealedCursor(cursor: Self.cursor, count: count))
    }

    @Test func `limit, selection, count and skip may change on the way`() throws {
        let text = try #require(seal.text(of: Self.cursor, in: try query(), of: table))
        let changed = try query {
            $0.limit = 3
            $0.skip = 50
            $0.wantsCount = true
            $0.select = [SelectedName("id", at: 0)]
            $0.after = Self.cursor
        }
        #expect(seal.place(from: text, in: changed, of: table)?.cursor == Self.cursor)
        // Offsets and the case of columns are no part of what a query means.
        #expect(
            seal.place(from: text, in: try query("( PRICE  gt 1 )", order: " Title , price desc"), of: table) != nil)
    }

    @Test(
        arguments: [
            ("price gt 2", "title,price desc"), ("price ge 1", "title,price desc"), ("count gt 1", "title,price desc"),
            ("price gt 1.0", "title,price desc"), ("price gt '1'", "title,price desc"),
            ("not (price gt 1)", "title,price desc"),
            ("price in (1)", "title,price desc"), ("1 gt price", "title,price desc"), (nil, "title,price desc"),
            ("price gt 1", "title,price"), ("price gt 1", "price desc,title"), ("price gt 1", "title"),
            ("price gt 1", nil),
            ("price gt 1", "title,tolower(price) desc"),
        ] as [(String?, String?)])
    func `another query makes it void`(filter: String?, order: String?) throws {
        let text = try #require(seal.text(of: Self.cursor, in: try query(), of: table))
        #expect(seal.place(from: text, in: try query(filter, order: order), of: table) == nil)
    }

    @Test func `another table, view, scope or rule of comparison makes it void`() throws {
        let text = try #require(seal.text(of: Self.cursor, in: try query(), of: table))
        let other = try #require(Identifier("todo2"))
        #expect(seal.place(from: text, in: try query(), of: other) == nil)
        #expect(seal.place(from: text, in: try query { $0.includeDeleted = true }, of: table) == nil)
        #expect(seal.place(from: text, in: try query { $0.textComparison = .ordinal }, of: table) == nil)
        #expect(seal.place(from: text, in: try query { $0.nullComparison = .value }, of: table) == nil)
        let scope = RowScope(try #require(try query("owner eq 'a'").filter))
        let own = try #require(seal.text(of: Self.cursor, in: try query { $0.scope = scope }, of: table))
        #expect(seal.place(from: text, in: try query { $0.scope = scope }, of: table) == nil)
        #expect(seal.place(from: own, in: try query(), of: table) == nil)
        let foreign = RowScope(try #require(try query("owner eq 'b'").filter))
        #expect(seal.place(from: own, in: try query { $0.scope = foreign }, of: table) == nil)
        #expect(seal.place(from: own, in: try query { $0.scope = scope }, of: table)?.cursor == Self.cursor)
    }

    @Test func `another key makes it void`() throws {
        let text = try #require(seal.text(of: Self.cursor, in: try query(), of: table))
        let other = CursorSeal(key: Array(repeating: 8, count: 32))
        #expect(other.place(from: text, in: try query(), of: table) == nil)
    }

    @Test func `a text with any one character changed is refused`() throws {
        let text = try #require(seal.text(of: Self.cursor, in: try query(), of: table))
        let query = try query()
        for index in text.indices {
            for replacement in ["A", "b", "-", "=", "é"] where String(text[index]) != replacement {
                let forged = text.replacingCharacters(at: index, with: replacement)
                #expect(seal.place(from: forged, in: query, of: table) == nil, "\(forged)")
            }
            #expect(seal.place(from: String(text[..<index]), in: query, of: table) == nil)
        }
        #expect(seal.place(from: text + "A", in: query, of: table) == nil)
        #expect(seal.place(from: text + "AAAA", in: query, of: table) == nil)
        #expect(seal.place(from: String(repeating: "A", count: 100_000), in: query, of: table) == nil)
    }

    @Test func `a place that no link could hold has no text`() throws {
        let long = PageCursor(values: [.text(String(repeating: "x", count: 2_000))], id: .text("a"))
        #expect(seal.text(of: long, in: try query(), of: table) == nil)
    }

    @Test func `a chain of a thousand conditions is no danger to the stack`() throws {
        let chain = Array(repeating: "a", count: 500).joined(separator: " or ")
        #expect(seal.text(of: Self.cursor, in: try query(chain), of: table) != nil)
    }
}

extension String {
    fileprivate func replacingCharacters(at index: Index, with replacement: String) -> String {
        String(self[..<index]) + replacement + String(self[self.index(after: index)...])
    }
}
