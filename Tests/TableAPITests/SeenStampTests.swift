import OData
import Scalars
import Testing

@testable import TableAPI

@Suite struct `The query behind a row that was seen` {
    private static let t = "datetimeoffset'2026-11-21T10:00:00.123Z'"
    private static let seen = Instant("2026-11-21T10:00:00.123Z")

    private func stamp(
        filter: String, order: String = "updatedAt", skip: String = "1", includeDeleted: String = "true",
        _ language: QueryLanguage = .apps
    ) throws -> Instant? {
        let members = [
            ("$filter", filter), ("$orderby", order), ("$skip", skip), ("__includeDeleted", includeDeleted),
        ]
        return SeenStamp.stamp(in: try QueryOptions.parse(members, language: language))
    }

    @Test(arguments: [
        "updatedAt ge \(t)", "(UpdatedAt ge \(t))", "complete eq false and (updatedAt ge \(t))",
        "(updatedAt ge \(t)) and (a eq 1 or b eq 2)",
        "updatedAt ge datetime'2026-11-21T10:00:00.1230000' and a eq 1 and b eq 2",
        "updatedAt ge \(t) and updatedAt ge datetimeoffset'2020-01-01T00:00:00Z'",
    ])
    func `is recognised among the conditions joined by and`(filter: String) throws {
        #expect(try stamp(filter: filter) == Self.seen)
    }

    @Test func `has v1's names in v1`() throws {
        let filter = "(text eq 'x') and (__updatedAt ge \(Self.t))"
        #expect(try stamp(filter: filter, order: "__updatedAt asc", .services) == Self.seen)
    }

    @Test(arguments: [
        "updatedAt gt \(t)", "createdAt ge \(t)", "updatedAt ge \(t) or a eq 1", "not (updatedAt ge \(t))",
        "a eq 1", "(updatedAt ge \(t)) eq true", "\(t) ge updatedAt",
    ])
    func `is none with another filter`(filter: String) throws {
        #expect(try stamp(filter: filter) == nil)
    }

    @Test func `is none with another order, skip or view, and none in v3`() throws {
        let filter = "updatedAt ge \(Self.t)"
        for order in ["updatedAt desc", "createdAt", "updatedAt,id", "id", "tolower(title)"] {
            #expect(try stamp(filter: filter, order: order) == nil, "\(order)")
        }
        for skip in ["0", "2", "100"] { #expect(try stamp(filter: filter, skip: skip) == nil) }
        #expect(try stamp(filter: filter, includeDeleted: "false") == nil)
        #expect(DatasyncTables().pullsBySeenStamp == false)
    }
}
