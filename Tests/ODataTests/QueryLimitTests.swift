import OData
import Testing

@Suite("Limits of a query")
struct QueryLimitTests {
    private func nested(_ opening: String, _ inner: String, _ closing: String, times: Int) -> String {
        String(repeating: opening, count: times) + inner + String(repeating: closing, count: times)
    }

    private func limit(of text: String, in option: String = "$filter", _ language: QueryLanguage = .apps) -> Int? {
        do {
            _ = try QueryOptions.parse([(option, text)], language: language)
            return nil
        } catch {
            guard case .overLimit(_, let limit, let found) = error.reason, found == limit + 1, error.offset != nil
            else {
                return nil
            }
            return limit
        }
    }

    @Test(arguments: [("not(", ")"), ("not ", ""), ("-", ""), ("tolower(", ")"), ("length( ", ")")])
    func `nesting ends at a hundred`(opening: String, closing: String) throws {
        let each = opening == "not(" ? 2 : 1
        #expect(try filter(nested(opening, "a", closing, times: QueryLimits.nesting / each)) != nil)
        #expect(limit(of: nested(opening, "a", closing, times: QueryLimits.nesting / each + 1)) == QueryLimits.nesting)
        #expect(limit(of: nested(opening, "a", closing, times: 200_000)) == QueryLimits.nesting)
        #expect(limit(of: String(repeating: opening, count: 200_000)) == QueryLimits.nesting)
    }

    @Test func `parentheses that stand together end at a thousand`() throws {
        #expect(try filter(nested("(", "a", ")", times: QueryLimits.leadingParentheses)) != nil)
        let more = QueryLimits.leadingParentheses + 1
        #expect(limit(of: nested("(", "a", ")", times: more)) == QueryLimits.leadingParentheses)
        #expect(limit(of: String(repeating: "(", count: 200_000)) == QueryLimits.leadingParentheses)
    }

    /// A filter that is grouped from the left, as client SDKs write it: `((a or b) or c)`.
    private func leftGrouped(_ operands: Int, _ operand: String, _ joints: String...) -> String {
        var text = operand
        for index in 1..<operands { text = "(\(text) \(joints[index % joints.count]) \(operand))" }
        return text
    }

    @Test func `a list of three hundred ids passes, grouped from the left`() throws {
        #expect(try filter(leftGrouped(300, "(id eq 'x')", "or")) != nil)
        #expect(try filter(leftGrouped(300, "(id ne 'x')", "and")) != nil)
    }

    @Test func `nesting from the left counts where the operator changes`() throws {
        #expect(try filter(leftGrouped(QueryLimits.nesting, "a", "or", "and")) != nil)
        #expect(limit(of: leftGrouped(QueryLimits.nesting + 2, "a", "or", "and")) == QueryLimits.nesting)
        #expect(limit(of: leftGrouped(400, "a", "or", "eq")) == QueryLimits.nesting)
    }

    @Test(arguments: ["or", "and", "add", "eq"])
    func `nesting from the right ends at a hundred`(operator name: String) throws {
        func grouped(_ levels: Int) -> String { nested("a \(name) (", "a", ")", times: levels) }
        #expect(try filter(grouped(QueryLimits.nesting - 1)) != nil)
        #expect(limit(of: grouped(QueryLimits.nesting + 1)) == QueryLimits.nesting)
        #expect(limit(of: grouped(100_000)) == QueryLimits.nesting)
    }

    @Test func `a list holds a thousand values, which are no nodes`() throws {
        func list(_ count: Int) -> String {
            "id in (" + Array(repeating: "'x'", count: count).joined(separator: ",") + ")"
        }
        #expect(try filter(list(QueryLimits.listLength), .datasync) != nil)
        #expect(limit(of: list(QueryLimits.listLength + 1), .datasync) == QueryLimits.listLength)
        #expect(limit(of: list(50_000), .datasync) == QueryLimits.listLength)
        let lists = Array(repeating: list(100), count: 300).joined(separator: " or ")
        #expect(try filter(lists, .datasync) != nil)
    }

    @Test func `a group that is closed gives its depth back`() throws {
        let groups = Array(repeating: "(not (a))", count: 240).joined(separator: " or ")
        #expect(try filter(groups) != nil)
    }

    @Test(arguments: ["or", "and", "add", "mul", "eq"])
    func `a chain of operators ends at a thousand nodes`(operator name: String) throws {
        let longest = Array(repeating: "a", count: QueryLimits.nodes / 2).joined(separator: " \(name) ")
        #expect(try filter(longest) != nil)
        #expect(limit(of: longest + " \(name) a") == QueryLimits.nodes)
        #expect(limit(of: Array(repeating: "a eq 1", count: 10_000).joined(separator: " or ")) == QueryLimits.nodes)
        // A literal is no node of its own.
        let ids = Array(repeating: "a eq 1", count: QueryLimits.nodes / 3).joined(separator: " or ")
        #expect(try filter(ids) != nil)
    }

    @Test func `an order has at most a hundred terms, and one that comes again is none`() throws {
        func order(_ count: Int) -> String { (1...count).map { "c\($0) desc" }.joined(separator: ",") }
        #expect(try QueryOptions.parse([("$orderby", order(100))]).order.count == QueryLimits.orderTerms)
        #expect(limit(of: order(101), in: "$orderby") == QueryLimits.orderTerms)
        #expect(limit(of: order(5_000), in: "$orderby", .datasync) == QueryLimits.orderTerms)
        let repeated = Array(repeating: "c", count: 500).joined(separator: ",")
        #expect(try QueryOptions.parse([("$orderby", repeated)]).order.count == 1)
    }

    @Test func `the terms of an order count together`() {
        let terms = Array(repeating: "c", count: 1_001).joined(separator: ",")
        #expect(limit(of: terms, in: "$orderby") == QueryLimits.nodes)
        let sums = (1...40).map { index in Array(repeating: "c\(index)", count: 20).joined(separator: " add ") }
        #expect(limit(of: sums.joined(separator: ","), in: "$orderby") == QueryLimits.nodes)
    }

    @Test func `a selection has more names than a table has columns, and no more`() throws {
        func names(_ count: Int) -> String { (1...count).map { "c\($0)" }.joined(separator: ",") }
        #expect(try QueryOptions.parse([("$select", names(1_024))]).select?.count == QueryLimits.selectedNames)
        #expect(limit(of: names(1_025), in: "$select") == QueryLimits.selectedNames)
        #expect(limit(of: names(20_000), in: "$select", .datasync) == QueryLimits.selectedNames)
    }

    @Test(arguments: ["1" + String(repeating: "0", count: 38) + "m", "1e38m", "1e-38M", "1e-999999999999m"])
    func `a decimal has at most 38 digits, and the text says so`(text: String) throws {
        let error = try #require(throws: QueryError.self) { try filter("a eq \(text)") }
        #expect(error == QueryError("$filter", at: 5, .syntax("A decimal has at most 38 digits.")))
    }
}
