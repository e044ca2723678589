import Scalars
import Tables
import Testing

extension ConformanceCase {
    /// The queries that links refer to.
    public static let keptQueries: [ConformanceCase] = [
        ConformanceCase("a query is kept under its reference, and no other is found") { bench in
            let store = try await bench.open([.todo()])
            #expect(try await store.keptQuery("a") == nil)
            #expect(try await store.keep(query("a", text: "first")))
            #expect(try await store.keep(query("b", text: "second")))
            #expect(try await store.keptQuery("a") == "first")
            #expect(try await store.keptQuery("b") == "second")
            for other in ["", "A", "a ", "c"] { #expect(try await store.keptQuery(other) == nil) }
        },
        ConformanceCase("a query outlives its server", needs: .persistence) { bench in
            for _ in 1...2 {
                let store = try await bench.open([.todo()])
                #expect(try await store.keep(query("a", text: "first")))
                #expect(try await store.keptQuery("a") == "first")
            }
        },
        ConformanceCase("a query is forgotten after its time, and not one that was asked for again") { bench in
            let store = try await bench.open([.todo()])
            let half = StoredQuery.life / 2
            #expect(try await store.keep(query("a")))
            #expect(try await store.keep(query("b")))
            #expect(try await store.keep(query("a", at: half + 1)))
            #expect(try await store.keep(query("c", at: StoredQuery.life + 1)))
            #expect(try await store.keptQuery("a") != nil)
            #expect(try await store.keptQuery("b") == nil)
            #expect(try await store.keptQuery("c") != nil)
        },
        ConformanceCase("who has no room left has no more kept, and loses none, until some are forgotten") { bench in
            let store = try await bench.open([.todo()])
            let text = String(repeating: "x", count: 99_744)
            var kept: [String] = []
            for number in 0..<20 where try await store.keep(query("r\(number)", text: text)) {
                kept.append("r\(number)")
            }
            #expect(kept == (0..<10).map { "r\($0)" })
            for reference in kept { #expect(try await store.keptQuery(reference) == text) }
            // What is kept already needs no more room, and others have theirs.
            #expect(try await store.keep(query("r0", text: text, at: StoredQuery.life / 2 + 1)))
            #expect(try await store.keep(query("s", of: "bob", text: text)))
            #expect(try await !store.keep(query("t", text: text, at: StoredQuery.life)))
            #expect(try await store.keep(query("t", text: text, at: StoredQuery.life + 1)))
        },
        ConformanceCase("all together have a bound too") { bench in
            let store = try await bench.open([.todo()])
            let text = String(repeating: "x", count: 1_000_000)
            var count = 0
            for number in 0..<70 where try await store.keep(query("r\(number)", of: "asker \(number)", text: text)) {
                count += 1
            }
            #expect(count == Int(StoredQuery.allBytes) / 1_000_256)
        },
    ]

    private static func query(
        _ reference: String, of asker: String = "ann", text: String = "text", at milliseconds: Int64 = 0
    ) -> StoredQuery {
        StoredQuery(
            reference: reference, asker: asker, text: text,
            now: Instant(milliseconds: 1_700_000_000_000 + milliseconds))
    }
}
