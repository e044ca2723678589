import Foundation
import OData
import TableSQL
import Tables
import Testing

@Suite("Stack that a query takes")
struct StackTests {
    /// A quarter of what Linux gives a thread. Debug builds take several times the stack of release builds.
    private static let smallStackBytes = 2 * 1024 * 1024

    /// Runs the body on a thread with a small stack, whose end would end the process.
    private func onSmallStack(_ body: @escaping @Sendable () -> Void) async {
        await withCheckedContinuation { continuation in
            let thread = Thread {
                body()
                continuation.resume()
            }
            thread.stackSize = Self.smallStackBytes
            thread.start()
        }
    }

    private static func nested(_ opening: String, _ inner: String, _ closing: String, times: Int) -> String {
        String(repeating: opening, count: times) + inner + String(repeating: closing, count: times)
    }

    private static func leftGrouped(_ operands: Int, _ operand: String, _ joints: [String]) -> String {
        var text = operand
        for index in 1..<operands { text = "(\(text) \(joints[index % joints.count]) \(operand))" }
        return text
    }

    /// The deepest filters that the parser lets through, and some that it doesn't.
    private static let filters: [String] = {
        let limit = QueryLimits.nesting
        return [
            nested("(", "done", ")", times: QueryLimits.leadingParentheses),
            nested("not (", "done", ")", times: limit / 2),
            nested("not ", "done", "", times: limit),
            nested("-", "price", "", times: limit) + " gt 1",
            nested("tolower(", "title", ")", times: limit) + " eq 'x'",
            nested("done or (", "done", ")", times: limit - 1),
            nested("done and (done or (", "done", "))", times: limit / 2 - 1),
            nested("done eq (", "done", ")", times: limit - 1),
            nested("price add (", "price", ")", times: limit - 1) + " gt 1",
            leftGrouped(limit, "done", ["or", "and"]),
            leftGrouped(300, "(id eq 'x')", ["or"]),
            leftGrouped(500, "done", ["or"]),
            leftGrouped(500, "done", ["eq"]),
            Array(repeating: "done", count: 500).joined(separator: " and "),
            "price in (" + Array(repeating: "1", count: QueryLimits.listLength).joined(separator: ",") + ")",
            nested("(", "done", ")", times: 100_000),
            nested("done or (", "done", ")", times: 100_000),
            nested("not(", "done", ")", times: 100_000),
        ]
    }()

    @Test(arguments: filters, [QueryLanguage.apps, .datasync])
    func `the deepest query needs no more than a quarter of a thread's`(filter: String, language: QueryLanguage) async {
        await onSmallStack {
            guard let query = try? QueryFixture.query(("$filter", filter), language: language) else { return }
            _ = try? SelectStatement(query: query, table: QueryFixture.todo, dialect: SQLiteDialect())
        }
    }

    @Test func `a list of three hundred ids becomes SQL, grouped from the left`() throws {
        let filter = Self.leftGrouped(300, "(id eq 'x')", ["or"])
        let query = try QueryFixture.query(("$filter", filter))
        let sql = try SelectStatement(query: query, table: QueryFixture.todo, dialect: SQLiteDialect()).sql
        #expect(sql.text.contains(#"WHERE "id" = ?1 OR "id" = ?2 OR "#))
        #expect(sql.bindings.count == 302)
    }
}
