import OData
import Scalars
import SeedTesting
import Tables
import WireTesting

/// Runs random queries over random rows on a store and on the evaluator, which have to answer the same rows in the same
/// order, and refuse the same queries.
public struct QueryComparison {
    private let size: ComparisonSize
    let store: any TableStore
    private var generator: SeededGenerator

    /// How many queries one set of rows and one table serve. Each second one may make no sense.
    private static let queriesPerTable = 500
    private static let rowsPerTable = 24

    /// A query that was answered differently, in words; nil where all agree.
    public static func run(on kind: BackendKind, _ size: ComparisonSize) async throws -> String? {
        print("random queries on \(kind): \(size.count), seed \(size.seed)")
        let bench = Bench(try await kind.make())
        let tables = (0..<(size.count + queriesPerTable - 1) / queriesPerTable).map(definition)
        do {
            var comparison = QueryComparison(
                size: size, store: try await bench.open(tables), generator: SeededGenerator(seed: size.seed))
            var found: String?
            for (index, table) in tables.enumerated() where found == nil {
                bench.clock.move(byMilliseconds: 86_399_999)
                let count = min(queriesPerTable, size.count - index * queriesPerTable)
                found = try await comparison.run(in: table.name, queries: count)
            }
            try await bench.finish()
            return found
        } catch {
            try? await bench.finish()
            throw error
        }
    }

    /// Tables of all types, soft and hard, of text ids and of numbers.
    private static func definition(_ index: Int) -> TableDefinition {
        var definition = TableDefinition(
            name: Identifier(stringLiteral: "sample\(index)"),
            columns: [
                Column("title", .string), Column("note", .string), Column("price", .number), Column("ratio", .number),
                Column("hugeNumber", .number), Column("count", .integer), Column("stock", .integer),
                Column("hugeInteger", .integer), Column("done", .boolean), Column("open", .boolean),
                Column("due", .date), Column("made", .date), Column("cost", .decimal), Column("tax", .decimal),
                Column("hugeDecimal", .decimal), Column("dueDay", .dateOnly), Column("dueTime", .timeOnly),
            ])
        definition.rules.softDelete = index % 2 == 0
        definition.rules.autoIncrement = index % 4 == 3
        return definition
    }

    private mutating func run(in name: Identifier, queries: Int) async throws -> String? {
        guard let table = store.table(named: name) else { return "no table \(name)" }
        try await fill(table)
        let rows = try await storedRows(of: table)
        let ids: [RowID] = rows.compactMap { row in
            switch row["id"] {
            case .text(let text): .text(text)
            case .integer(let number): .integer(number)
            default: nil
            }
        }
        let stamps: [Literal] = rows.compactMap { row in
            guard case .date(let stamp) = row["updatedAt"] else { return nil }
            return .date(stamp)
        }
        let versions: [Literal] = rows.compactMap { row in
            guard case .integer(let counter) = row["version"] else { return nil }
            return .text(Version(counter: counter).wireText)
        }
        for _ in 0..<queries / 2 {
            var source = ExpressionSource(
                table, generator: SeededGenerator(seed: generator.next()), ids: ids, stamps: stamps,
                versions: versions + versions.map(Self.binary), hasFixedStamps: true)
            var query = TableQuery(limit: 1000)
            (query.textComparison, query.nullComparison) = source.generator.pick(Self.rules)
            source.hasLists = query.nullComparison == .value
            query.filter = source.filter(depth: 5)
            query.order = source.order()
            query.includeDeleted = source.generator.chance(70)
            if let difference = try await difference(query, table, rows) { return "seed \(size.seed): \(difference)" }
            query.filter = source.loose(source.generator.pick([1, 2, 2, 3]))
            if let difference = try await differenceOfLoose(query, table, rows) {
                return "seed \(size.seed): \(difference)"
            }
        }
        return nil
    }

    /// Of v3 and of v2, the latter also with text compared by code point, as it can be configured.
    private static let rules: [(TextComparison, NullComparison)] = [
        (.ordinal, .value), (.ordinal, .value), (.ignoringCase, .unknown), (.ignoringCase, .unknown),
        (.ordinal, .unknown),
    ]

    private static func binary(_ version: Literal) -> Literal {
        guard case .text(let text) = version, let counter = Version(wireText: text)?.counter else { return version }
        return .binary((0..<8).map { UInt8(truncatingIfNeeded: counter >> (56 - 8 * $0)) })
    }

    private mutating func fill(_ table: Table) async throws {
        var ids = SampleValues.ids.shuffled(using: &generator)
        for _ in 0..<Self.rowsPerTable {
            let properties = table.columns.map { column in
                let isHuge = column.name.text.hasPrefix("huge")
                return Property(
                    column.name.text, SampleValues.value(of: column.type, isHuge: isHuge, using: &generator))
            }
            let id: RowID? = table.rules.autoIncrement ? nil : .text(ids.removeLast())
            let written = try await store.insert(properties, id: id, in: table, into: RecordedRows())
            guard generator.chance(20), let id, written.outcome == .written else { continue }
            _ = try await store.delete(id, if: .none, in: table, into: RecordedRows())
        }
    }

    /// All rows as the store has them: the system columns are the store's own.
    private func storedRows(of table: Table) async throws -> [ReferenceEvaluator.Row] {
        var query = TableQuery(limit: 1000)
        query.includeDeleted = true
        return try await list(query, in: table).rows.rows.map { row in
            var values: ReferenceEvaluator.Row = [:]
            for field in table.fields { values[field.name] = row[field.name]?.value(of: field) }
            return values
        }
    }

    /// What the store finds, asked for again where a busy machine took longer than a list may take.
    func list(_ query: TableQuery, in table: Table) async throws(TableError) -> Page<RecordedRows> {
        try await Patience.inTime { error in
            switch error {
            case .timeout, .unavailable: true
            default: false
            }
        } _: { () throws(TableError) in
            try await store.list(query, in: table, into: RecordedRows())
        }
    }

    func difference(
        _ query: TableQuery, _ table: Table, _ rows: [ReferenceEvaluator.Row]
    ) async throws -> String? {
        guard var found = try await answers(query, table, rows) else { return nil }
        // The smallest part of the filter that still differs says most.
        var query = query
        var parts = query.filter?.parts ?? []
        var withoutOrder = query
        withoutOrder.order = []
        if let simpler = try await answers(withoutOrder, table, rows) { (query, found) = (withoutOrder, simpler) }
        while let part = parts.popLast() {
            var simpler = query
            simpler.filter = part
            let evaluator = evaluator(for: query, table)
            guard (try? evaluator.check(filter: part)) != nil else { continue }
            guard let difference = try await answers(simpler, table, rows) else { continue }
            (query, found, parts) = (simpler, difference, part.parts)
        }
        return found
    }

    /// What a query is answered by both, where that differs.
    private func answers(
        _ query: TableQuery, _ table: Table, _ rows: [ReferenceEvaluator.Row]
    ) async throws -> String? {
        // Once more, as a store may go another way when it knows the query.
        for _ in 0..<2 {
            if let difference = try await answersOnce(query, table, rows) { return difference }
        }
        return nil
    }

    private func answersOnce(
        _ query: TableQuery, _ table: Table, _ rows: [ReferenceEvaluator.Row]
    ) async throws -> String? {
        let start = SystemClock.now()
        let words = {
            let order = query.order.map { "\($0.expression.wireText)\($0.isDescending ? " desc" : "")" }
            let filter = query.filter?.wireText ?? ""
            return
                "$filter=\(filter) $orderby=\(order.joined(separator: ",")) \(query.textComparison) \(query.nullComparison)"
        }
        let page: Page<RecordedRows>
        do throws(TableError) {
            page = try await list(query, in: table)
        } catch {
            return "\(words()): the store refused it: \(error)"
        }
        let found = page.rows.rows.map { $0["id"].map { "\($0)" } ?? "" }
        var wanted: [String] = []
        // The store's present lies between the two.
        for now in [start, SystemClock.now()] {
            wanted = expected(query, table, rows, now).map { row in Cell(row["id"] ?? .null).map { "\($0)" } ?? "" }
            if found.map({ Array($0.utf8) }) == wanted.map({ Array($0.utf8) }) { return nil }
        }
        let odd = rows.filter { row in
            let id = Cell(row["id"] ?? .null).map { "\($0)" } ?? ""
            return found.contains(id) != wanted.contains(id)
        }
        return "\(words())\n  store: \(found)\n  expected: \(wanted)\n  odd row: \(odd.first.map { "\($0)" } ?? "none")"
    }
}

extension QueryComparison {
    func evaluator(
        for query: TableQuery, _ table: Table, now: Instant = Instant(milliseconds: 0)
    ) -> ReferenceEvaluator {
        ReferenceEvaluator(
            table, textComparison: query.textComparison, nullComparison: query.nullComparison, now: now)
    }

    /// The rows that the evaluator picks, in its order.
    private func expected(
        _ query: TableQuery, _ table: Table, _ rows: [ReferenceEvaluator.Row], _ now: Instant
    ) -> [ReferenceEvaluator.Row] {
        let evaluator = evaluator(for: query, table, now: now)
        return rows.filter { row in
            if table.rules.softDelete, !query.includeDeleted, row["deleted"] == .boolean(true) { return false }
            return query.filter.map { evaluator.matches($0, row) } ?? true
        }.sorted { evaluator.precedes($0, $1, by: query.order) }
    }
}

extension Cell {
    /// The cell as which a store shows an id.
    init?(_ id: Value) {
        switch id {
        case .text(let text): self = .text(text)
        case .integer(let number): self = .integer(number)
        default: return nil
        }
    }

    /// The value that the evaluator knows for the cell.
    func value(of field: Field) -> Value {
        switch self {
        case .null: .null
        case .boolean(let truth): .boolean(truth)
        case .integer(let whole): .integer(whole)
        case .number(let number): .number(number)
        case .decimal(let text): DecimalNumber(text).map(Value.decimal) ?? .null
        case .version(let version): .integer(version.counter)
        case .text(let text):
            switch field {
            case .system(.createdAt), .system(.updatedAt): Instant(text).map(Value.date) ?? .null
            case .own(let column) where column.type == .date: Instant(text).map(Value.date) ?? .null
            default: .text(text)
            }
        }
    }
}
