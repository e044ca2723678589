import OData
import Scalars
import StorageTesting
import Tables
import Testing

/// The written rules, one by one: what the evaluator is worth as a second opinion.
@Suite struct `The reference evaluator` {
    @Test(arguments: [
        ("title eq 'ÉLAN'", "a"),
        ("tolower(title) eq 'ÉLAN'", "a"),
        ("title eq 'elan'", ""),
        ("title ne 'élan'", "b D"),
        ("title eq null", "C"),
        ("null eq title", "C"),
        ("null ne title", "a b D"),
        ("title gt null", ""),
        ("not (title eq 'Élan')", "b D"),
        ("id eq 'd'", ""),
        ("id ge 'a'", "a b"),
        ("count div 2 eq 3", "a"),
        ("count div 2 eq -3", "b"),
        ("price div 2 eq 1.25", "a"),
        ("count div 0 eq null", "a b C D"),
        ("price mod 2 eq 0.5", "a"),
        ("price mod 2 eq -0.5", "b"),
        ("round(price) eq 3", "a"),
        ("round(price) eq -3", "b"),
        ("floor(price) eq -3", "b"),
        ("-count eq 7", "b"),
        ("done", "a"),
        ("not done", "b"),
        ("done eq 1", "a"),
        ("done or count eq 2", "a C"),
        ("not done and price lt 0 or title eq null and count eq 2", "b C"),
        ("substringof('%', title)", "D"),
        ("startswith(title,'100%_')", "D"),
        ("endswith(title,'VITAL')", "b"),
        ("indexof(title,'LAN') eq 1", "a b"),
        ("length(title) eq 4", "a"),
        ("substring(title,-1,2) eq 'él'", "a b"),
        ("replace(title,'É','e') eq 'elan'", "a"),
        ("concat(title,null) eq null", "a b C D"),
        ("due eq '2026-11-21T14:00:00.1239+02:00'", "a"),
        ("due lt datetime'2025-01-01'", "C"),
        ("day(due) eq 29 and month(due) eq 2", "C"),
        ("title eq datetimeoffset'2026-11-21T12:00:00Z'", ""),
    ])
    func `a filter picks rows by the written rules`(_ filter: String, _ ids: String) throws {
        let expression = try #require(try QueryOptions.parse([("$filter", filter)]).filter)
        let evaluator = ReferenceEvaluator(table)
        try evaluator.check(filter: expression)
        #expect(identifiers(rows.filter { evaluator.matches(expression, $0) }) == ids)
    }

    @Test(arguments: [
        ("title", "C D a b"), ("title desc", "b a D C"), ("done", "C D b a"), ("price desc,id desc", "a b D C"),
        ("count mod 2", "b C D a"), ("ID desc", "b a D C"),
    ])
    func `nulls come first and the id last`(_ order: String, _ ids: String) throws {
        let terms = try QueryOptions.parse([("$orderby", order)]).order
        let evaluator = ReferenceEvaluator(table)
        #expect(identifiers(rows.sorted { evaluator.precedes($0, $1, by: terms) }) == ids)
    }

    @Test(arguments: [("nothing eq 1", 0), ("done and length(nothing) gt 1", 16)])
    func `an unknown column is refused where it stands`(_ filter: String, _ offset: Int) throws {
        let expression = try #require(try QueryOptions.parse([("$filter", filter)]).filter)
        #expect(throws: QueryError("$filter", at: offset, .unknownColumn("nothing"))) {
            try ReferenceEvaluator(table).check(filter: expression)
        }
    }

    @Test(arguments: ["title eq done", "title", "count and done", "length(count) eq 1", "due eq 'soon'", "-title eq 1"])
    func `operands that don't go together are refused`(_ filter: String) throws {
        let expression = try #require(try QueryOptions.parse([("$filter", filter)]).filter)
        #expect(throws: QueryError.self) { try ReferenceEvaluator(table).check(filter: expression) }
    }

    private let table: Table
    private let rows: [ReferenceEvaluator.Row]

    init() throws {
        let columns: [(String, ColumnType)] = [
            ("title", .string), ("price", .number), ("count", .integer), ("done", .boolean), ("due", .date),
        ]
        table = Table(
            name: "sample",
            columns: try columns.map { Column(try #require(Identifier($0.0)), $0.1) }, rules: TableRules())
        let noon = try #require(Instant("2026-11-21T12:00:00.123Z"))
        let leapDay = try #require(Instant("2024-02-29"))
        rows = [
            [
                "id": .text("a"), "title": .text("Élan"), "price": .number(2.5), "count": .integer(7),
                "done": .boolean(true), "due": .date(noon),
            ],
            [
                "id": .text("b"), "title": .text("élan vital"), "price": .number(-2.5), "count": .integer(-7),
                "done": .boolean(false),
            ],
            ["id": .text("C"), "count": .integer(2), "due": .date(leapDay)],
            ["id": .text("D"), "title": .text("100%_"), "count": .integer(0)],
        ]
    }

    private func identifiers(_ rows: [ReferenceEvaluator.Row]) -> String {
        rows.map { row in
            if case .text(let id) = row["id"] { id } else { "" }
        }.joined(separator: " ")
    }
}
