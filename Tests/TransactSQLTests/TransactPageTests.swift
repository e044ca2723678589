import Foundation
import Testing

@testable import TransactSQL

/// The page lists exactly the functions that there are.
@Suite("The page on T-SQL")
struct TransactPageTests {
    private static func names(_ row: String) throws -> Set<String> {
        var root = URL(fileURLWithPath: #filePath)
        for _ in 1...3 { root.deleteLastPathComponent() }
        let page = try String(contentsOf: root.appending(path: "docs/t-sql.md"), encoding: .utf8)
        let line = try #require(page.split(separator: "\n").first { $0.hasPrefix("| \(row) |") })
        return Set(line.matches(of: /[A-Z][A-Z0-9_]+/).map { String($0.output) }).subtracting(["OVER"])
    }

    /// What the parser itself knows, as it has arguments of its own kind.
    private static let special: Set<String> = [
        "IIF", "CHOOSE", "DATEADD", "DATEDIFF", "DATEPART", "COUNT", "COUNT_BIG", "SUM", "AVG", "MIN", "MAX",
        "CURRENT_TIMESTAMP",
    ]

    @Test func `all functions are on the page, and no others`() throws {
        let plain = Set(TransactFunction.allCases.map(\.rawValue))
        #expect(try Self.names("functions").union(Self.names("mathematics")) == plain.union(Self.special))
        let aggregates: Set<String> = ["COUNT", "SUM", "AVG", "MIN", "MAX", "PARTITION", "ORDER", "BY"]
        #expect(try Self.names("with OVER") == Set(TransactWindow.names).union(aggregates))
    }

    @Test func `what the page lists is known`() throws {
        for name in try Self.names("functions").union(Self.names("mathematics")).union(TransactWindow.names) {
            #expect(!TransactFixture.refusal("SELECT \(name)()").contains("The function"), "\(name)")
        }
        #expect(TransactFixture.refusal("SELECT NOTHING()").contains("The function `NOTHING` is not supported."))
    }
}
