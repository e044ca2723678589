import ContinuationTokens
import Testing

@Suite("The seal on long queries")
struct QuerySealTests {
    private let seal = QuerySeal(key: Array(repeating: 7, count: 32))
    private static let members: [QuerySeal.Member] = [
        ("$filter", (0..<200).map { "id eq 'item-\($0)'" }.joined(separator: " or ")), ("$orderby", "updatedAt"),
        ("a&=+; %", "é\u{0}🎈"), ("empty", ""), ("", "nameless"), ("empty", "again"),
    ]

    private func text(of members: [QuerySeal.Member] = members) throws -> String {
        try #require(seal.text(of: members))
    }

    @Test(arguments: [0, 1, 6]) func `members come back as they were`(count: Int) throws {
        let members = Array(Self.members.prefix(count))
        let text = try text(of: members)
        let isPlain = text.utf8.allSatisfy {
            (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0) || $0 == 45 || $0 == 95
        }
        #expect(isPlain)
        let back = try #require(seal.members(from: text))
        #expect(back.count == count && zip(back, members).allSatisfy { $0 == $1 })
    }

    @Test func `what is alike takes little`() throws {
        #expect(try text().utf8.count * 3 < Self.members[0].value.utf8.count)
    }

    @Test func `another key makes it void`() throws {
        #expect(QuerySeal(key: Array(repeating: 8, count: 32)).members(from: try text()) == nil)
    }

    @Test func `a text with a character changed, or cut off, is refused`() throws {
        let text = try text()
        for index in text.indices {
            var forged = text
            forged.replaceSubrange(index...index, with: text[index] == "A" ? "B" : "A")
            #expect(seal.members(from: forged) == nil)
            #expect(seal.members(from: text[..<index]) == nil)
        }
        #expect(seal.members(from: text + "AAAA") == nil)
        #expect(seal.members(from: String(repeating: "A", count: 200_000)) == nil)
    }

    @Test func `a reference is one for a text and a user`() throws {
        let reference = seal.reference(to: "text", for: "ann")
        #expect(reference.utf8.count == 22 && reference == seal.reference(to: "text", for: "ann"))
        let others = [
            seal.reference(to: "text", for: "bob"), seal.reference(to: "text", for: nil),
            seal.reference(to: "text", for: ""), seal.reference(to: "ttext", for: "ann"),
            seal.reference(to: "ntext", for: "an"), seal.alias(of: "ann"),
            QuerySeal(key: Array(repeating: 8, count: 32)).reference(to: "text", for: "ann"),
        ]
        #expect(!others.contains(reference) && Set(others).count == others.count)
    }
}
