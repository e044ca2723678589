import OData
import Scalars
import SeedTesting
import Tables

/// Makes the random steps of a differential run, one after another, from the tables as they stand.
struct StepSource {
    private var generator: SeededGenerator

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
    }

    /// Soft and hard, dynamic and static, with text and numbered ids.
    static let tables: [TableDefinition] = [
        table("soft") { $0.softDelete = true },
        table("hard") { _ in },
        table("fixed", columns: TableDefinition.everyType.columns) {
            $0.softDelete = true
            $0.dynamicSchema = false
        },
        table("numbered") { $0.autoIncrement = true },
    ]

    private static func table(
        _ name: Identifier, columns: [Column] = TableDefinition.todo().columns, _ change: (inout TableRules) -> Void
    ) -> TableDefinition {
        var rules = TableRules()
        change(&rules)
        return TableDefinition(name: name, columns: columns, rules: rules)
    }

    /// How far the clock moves before the next step: not at all, a little, far, or back.
    mutating func clockStep() -> Int64 {
        generator.pick([0, 0, 0, 1, 1, 7, 1_000, 86_400_000, -5_000])
    }

    mutating func step(in store: ReferenceStore) -> StoreStep {
        let name = generator.pick(Self.tables).name
        guard let table = store.table(named: name) else {
            return StoreStep(table: name, operation: .insert(nil, [], deleted: false))
        }
        return StoreStep(table: name, operation: operation(table, taken: store.ids(in: name)), scope: scope(table))
    }

    /// None as a rule, else what many rows of any table are in and many are not.
    private mutating func scope(_ table: Table) -> RowScope? {
        guard generator.chance(25) else { return nil }
        var condition = Self.comparison(generator.pick(table.columns), &generator)
        if generator.chance(30) {
            let joint = generator.pick([BinaryOperator.and, .or])
            condition = .binary(joint, condition, Self.comparison(generator.pick(table.columns), &generator), at: 0)
        }
        let writable = generator.chance(40) ? Self.comparison(generator.pick(table.columns), &generator) : nil
        return RowScope(condition, writable: writable)
    }

    private static func comparison(_ column: Column, _ generator: inout SeededGenerator) -> Expression {
        let literals: [Literal] =
            switch column.type {
            case .boolean: [.boolean(true), .boolean(false), .null]
            case .string: [.text("a"), .text("A"), .text(""), .null]
            default: [.null]
            }
        let name = generator.chance(5) ? "missing" : column.name.text
        return .binary(
            generator.pick([.equal, .notEqual]), .column(name, at: 0), .literal(generator.pick(literals), at: 0), at: 0)
    }

    private mutating func operation(_ table: Table, taken: [RowID]) -> StoreOperation {
        let id = generator.chance(80) && !taken.isEmpty ? generator.pick(taken) : anyID(table)
        switch Int.random(in: 0..<100, using: &generator) {
        case ..<25:
            let deleted = generator.chance(10)
            guard table.rules.autoIncrement else { return .insert(anyID(table), properties(table), deleted: deleted) }
            // The other tables have only so many ids.
            return taken.count < 40 ? .insert(nil, properties(table), deleted: deleted) : .delete(id, .none)
        case ..<45: return .update(id, RowUpdate(generator.chance(5) ? [] : properties(table)), condition())
        case ..<50: return .update(id, anyUpdate(table), condition())
        case ..<61: return .delete(id, condition())
        case ..<66: return .update(id, .undelete, condition())
        case ..<72: return .find(id, select: select(table), includeDeleted: Bool.random(using: &generator))
        default: return list(table)
        }
    }

    private mutating func anyUpdate(_ table: Table) -> RowUpdate {
        var update = RowUpdate(generator.chance(50) ? [] : properties(table))
        update.deleted = generator.pick([nil, true, false])
        update.includesTombstones = Bool.random(using: &generator)
        update.renewsAlways = Bool.random(using: &generator)
        update.replaces = generator.chance(40)
        return update
    }

    /// An id that a row may have, rarely one of the other kind.
    private mutating func anyID(_ table: Table) -> RowID {
        table.rules.autoIncrement != generator.chance(1)
            ? .integer(Int64.random(in: -1...100, using: &generator)) : .text(generator.pick(SampleValues.ids))
    }

    private mutating func condition() -> StoreOperation.Condition {
        switch Int.random(in: 0..<10, using: &generator) {
        case ..<4: .none
        case ..<8: .current
        case 8: .ofWrite(Int.random(in: 0..<100_000, using: &generator))
        default: .unmatchable
        }
    }

    /// Known columns in any spelling, and now and then one that the table hasn't, can't have or doesn't let be set.
    private mutating func properties(_ table: Table) -> [Property] {
        (0..<Int.random(in: 1...4, using: &generator)).map { _ in
            switch Int.random(in: 0..<100, using: &generator) {
            case ..<80:
                let column = generator.pick(table.columns)
                let isOfOtherType = generator.chance(2)
                let type = isOfOtherType ? generator.pick(ColumnType.allCases) : column.type
                let name = generator.chance(20) ? column.name.text.uppercased() : column.name.text
                return Property(name, wireValue(of: type))
            case ..<98:
                let name = "extra\(Int.random(in: 1...12, using: &generator))"
                return Property(name, wireValue(of: generator.pick([.string, .number, .boolean])))
            case 98:
                return Property(generator.pick(["deleted", "createdAt", "UpdatedAt"]), .null)
            default:
                return Property(generator.pick(["no name", "1st", "ä", ""]), .boolean(true))
            }
        }
    }

    /// Dates come as text, as a body brings them.
    private mutating func wireValue(of type: ColumnType) -> Value {
        let value = SampleValues.value(of: type, isHuge: false, using: &generator)
        if case .date(let instant) = value, Bool.random(using: &generator) { return .text(instant.wireText) }
        return value
    }

    private mutating func select(_ table: Table) -> [String]? {
        guard generator.chance(30) else { return nil }
        let count = Int.random(in: 1...4, using: &generator)
        return Array(table.fields.map(\.name).shuffled(using: &generator).prefix(count))
    }

    private mutating func list(_ table: Table) -> StoreOperation {
        let ids: [RowID] = table.rules.autoIncrement ? [.integer(1), .integer(5)] : SampleValues.ids.map(RowID.text)
        let marks = (0..<3).map { _ in Int.random(in: 0..<100_000, using: &generator) }
        var source = ExpressionSource(
            table, generator: SeededGenerator(seed: generator.next()), ids: ids,
            stamps: marks.map(ObservedStore.stampMark), versions: marks.map(ObservedStore.versionMark),
            hasFixedStamps: false)
        var query = TableQuery(limit: generator.pick([0, 1, 2, 5, 50, 1000]))
        if generator.chance(70) { query.filter = source.filter(depth: 3) }
        if generator.chance(3) {
            let name = generator.pick(["extra7", "nothing"])
            query.filter = .binary(.equal, .literal(.text("a"), at: 0), .column(name, at: 7), at: 4)
        }
        query.order = source.order()
        query.skip = generator.pick([0, 0, 0, 1, 3, 100])
        query.includeDeleted = generator.chance(40)
        query.wantsCount = Bool.random(using: &generator)
        query.textComparison = generator.chance(20) ? .ordinal : .ignoringCase
        return .list(query, select: select(table))
    }
}

extension ReferenceStore {
    /// The ids of a table's rows, tombstones too, in an order that is the same in every run.
    fileprivate func ids(in name: Identifier) -> [RowID] {
        let ids = (try? alone { $0.tables[name].map { Array($0.rows.keys) } }) ?? nil
        return (ids ?? []).sorted { $0.text.utf8.lexicographicallyPrecedes($1.text.utf8) }
    }
}
