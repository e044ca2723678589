import OData
import Testing

@Suite("Limits of a query")
struct QueryLimitTests {
    private func nested(_ opening: String, _ inner: String, _ closing: String, times: Int) -> String {
        String(repeating: opening, count: times) + inner + String(repeating: closing, count: times)
    }

    private func limit(of text: String, in option: String = "$filter") -> Int? {
        do {
            _ = try QueryOptions.parse([(option, text)])
            return nil
        } catch {
            guard case .overLimit(let limit, let found) = error.reason, found == limit + 1, error.offset != nil else {
                return nil
            }
            return limit
        }
    }

    @Test(arguments: [("(", ")"), ("not(", ")"), ("not ", ""), ("-", ""), ("tolower(", ")"), ("length( ", ")")])
    func `nesting ends at a hundred`(opening: String, closing: String) throws {
        let each = opening == "not(" ? 2 : 1
        #expect(try filter(nested(opening, "a", closing, times: QueryLimits.nesting / each)) != nil)
        #expect(limit(of: nested(opening, "a", closing, times: QueryLimits.nesting / each + 1)) == QueryLimits.nesting)
        #expect(limit(of: nested(opening, "a", closing, times: 200_000)) == QueryLimits.nesting)
        #expect(limit(of: String(repeating: opening, count: 200_000)) == QueryLimits.nesting)
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
    }

    @Test func `the terms of an order count together`() {
        let terms = (1...1_001).map { "c\($0)" }.joined(separator: ",")
        #expect(limit(of: terms, in: "$orderby") == QueryLimits.nodes)
    }
}
