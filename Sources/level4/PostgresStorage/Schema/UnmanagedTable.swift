import ByteText
import TableSQL
import Tables

/// A table created by another program, with what is needed to adopt it.
struct UnmanagedTable {
    /// The name as the database spells it.
    let name: Identifier
    /// Its system columns, with those that will become such.
    private(set) var schema = TableSchema()
    private(set) var ignoredColumns: [String] = []
    let hasPrimaryKey: Bool
    private var columnNames: [Identifier] = []
    /// The statements that disable triggers that writing its rows would fire, and those that enable them again.
    private(set) var triggersOff: [String] = []
    private(set) var triggersOn: [String] = []
    /// All reasons found why it can't be adopted.
    private var obstacles: [String] = []
    /// Columns from Mobile Services, which become system columns.
    private(set) var formerColumns = LegacyColumns()

    /// - Throws: `definition` if there is no such table, or it can't be adopted.
    init(_ wanted: Identifier, on connection: PostgresConnection) throws(PostgresFailure) {
        let result = try connection.run(
            """
            SELECT c.relname::text, a.attname::text, a.atttypid, a.atthasdef OR a.attidentity <> '',
                EXISTS (SELECT 1 FROM pg_index i WHERE i.indrelid = c.oid AND i.indisunique AND i.indisvalid
                    AND i.indnkeyatts = 1 AND i.indkey[0] = a.attnum AND i.indpred IS NULL) AND a.attnotnull,
                EXISTS (SELECT 1 FROM zumod_tables t WHERE t.relation = c.relname),
                c.oid::int8, c.relkind::text,
                CASE WHEN a.attgenerated <> '' THEN 'g' ELSE a.attidentity::text END,
                EXISTS (SELECT 1 FROM pg_collation o WHERE o.oid = a.attcollation AND NOT o.collisdeterministic),
                EXISTS (SELECT 1 FROM pg_index k WHERE k.indrelid = c.oid AND k.indisprimary)
            FROM pg_class c LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
            WHERE lower(c.relname::text) = lower($1::text) AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
                AND c.relnamespace = \(CurrentSchema.oid)
            ORDER BY c.relname = $1::text DESC, c.relname, a.attnum
            """, [.text(wanted.text)])
        guard result.rowCount > 0, let name = Identifier(result.string(0, 0)) else {
            throw .table(.definition("the database has no table \(wanted)"))
        }
        self.name = name
        if let kind = Self.otherKind(result.string(0, 7)) {
            throw .table(.definition("\(name) is \(kind): only a table can be adopted"))
        }
        if result.boolean(0, 5) { throw .table(.definition("the table \(name) is zumod's already")) }
        let relation = result.integer(0, 6)
        hasPrimaryKey = result.boolean(0, 10)
        for row in 0..<result.rowCount where result.integer(row, 6) == relation && !result.isNull(row, 1) {
            add(
                ColumnFacts(
                    name: result.string(row, 1),
                    type: CellType(rawValue: UInt32(truncatingIfNeeded: result.bits(row, 2))),
                    hasDefault: result.boolean(row, 3), isUnique: result.boolean(row, 4),
                    generation: result.string(row, 8), comparesLoosely: result.boolean(row, 9)))
        }
        for system in SystemColumn.allCases {
            guard let former = formerColumns.name(of: system) else { continue }
            if !schema.systemColumns.insert(system).inserted {
                obstacles.append(
                    "its columns \(system.rawValue) and \(former) are both the server's, unless \(system.rawValue) is the "
                        + "app's own, as in Mobile Services: rename it to __own_\(system.rawValue) then, or else drop one"
                )
            }
        }
        obstacles += try AdoptionObstacles.all(
            of: relation, named: name.text, renaming: formerColumns.names, on: connection)
        guard obstacles.isEmpty else {
            throw .table(.definition("the table \(name) can't be adopted: \(obstacles.joined(separator: "; "))"))
        }
        try readTriggers(of: relation, on: connection)
    }

    /// What is known about a column.
    private struct ColumnFacts {
        let name: String
        let type: CellType?
        let hasDefault: Bool
        let isUnique: Bool
        /// `g` if it is computed from others, `a` if only the database assigns its numbers.
        let generation: String
        /// Whether different texts can be equal.
        let comparesLoosely: Bool
    }

    private mutating func add(_ column: ColumnFacts) {
        let system = SystemColumn(named: column.name)
        let isFormer = SystemColumn(formerly: column.name) != nil
        let name = Identifier(column.name)
        // Of two that differ by case, the first is served.
        let isTwin = name.map(columnNames.contains) ?? false
        if system == nil, !isFormer, column.type == nil || name == nil || isTwin {
            return ignoredColumns.append(column.name)
        }
        columnNames += [name].compactMap(\.self)
        let obstacle = AdoptionObstacles.ofColumn(column.name, generation: column.generation)
        obstacles += [obstacle].compactMap(\.self)
        do throws(LegacyColumns.Unfit) {
            if try formerColumns.take(column.name, column.type) != nil { return }
        } catch {
            obstacles.append(error.sentence)
            return
        }
        if let system { add(column, as: system) }
    }

    private mutating func add(_ column: ColumnFacts, as system: SystemColumn) {
        guard column.name.isExactly(system.rawValue) else {
            obstacles.append(
                "its column \(column.name) stands in the way of the column \(system.rawValue): rename it, to "
                    + "\(system.rawValue) if it holds that")
            return
        }
        switch (system, column.type) {
        case (.id, .text), (.id, .varchar), (.createdAt, .timestampWithZone), (.updatedAt, .timestampWithZone),
            (.version, .int8), (.deleted, .boolean):
            break
        case (.id, .int8), (.id, .int4):
            if !column.hasDefault { obstacles.append("its ids are whole numbers, but the database doesn't give them") }
        default:
            let type = PostgresDialect().typeName(of: system)
            obstacles.append(
                "its column \(column.name) has a type that zumod can't use for it: ALTER COLUMN … TYPE \(type)")
            return
        }
        schema.systemColumns.insert(system)
        if system == .id, !column.isUnique {
            obstacles.append("its ids are not unique: it needs a primary key of the column id")
        }
        if system == .id, column.comparesLoosely {
            obstacles.append("its ids are compared by a collation for which different texts are equal")
        }
        if system == .version, column.hasDefault, column.generation.isEmpty {
            obstacles.append(
                "its column version has a default, so that new rows of other programs would get no number of zumod's: "
                    + "ALTER COLUMN … DROP DEFAULT")
        }
    }

    private static func otherKind(_ kind: String) -> String? {
        switch kind {
        case "v": "a view"
        case "m": "a materialized view"
        case "f": "a foreign table"
        default: nil
        }
    }

    /// Reads the triggers that an update of every row would fire, to be restored to their state afterwards.
    private mutating func readTriggers(
        of relation: Int64, on connection: PostgresConnection
    ) throws(PostgresFailure) {
        let result = try connection.run(
            """
            SELECT quote_ident(tgname), tgenabled = 'A' FROM pg_trigger
            WHERE tgrelid = $1::int8::oid AND NOT tgisinternal AND tgenabled IN ('O', 'A') AND tgtype & 16 <> 0
            ORDER BY tgname
            """, [.integer(relation)])
        for row in 0..<result.rowCount {
            let (trigger, always) = (result.string(row, 0), result.boolean(row, 1) ? "ALWAYS " : "")
            triggersOff.append("ALTER TABLE \"\(name.text)\" DISABLE TRIGGER \(trigger)")
            triggersOn.append("ALTER TABLE \"\(name.text)\" ENABLE \(always)TRIGGER \(trigger)")
        }
    }

    /// Refuses a table without tombstones whose deleted rows would then be shown as live.
    func refuseDeletedRows(on connection: PostgresConnection) throws(PostgresFailure) {
        let own = schema.systemColumns.contains(.deleted) ? "\"deleted\"" : nil
        guard let condition = formerColumns.deletedCondition ?? own else { return }
        let relation = "\"\(name.text)\""
        let result = try connection.run(
            "SELECT count(*)::text FROM \(relation) WHERE \(condition)")
        guard result.rowCount == 1, result.string(0, 0) != "0" else { return }
        throw unfit(
            "\(result.string(0, 0)) of its rows are deleted ones, which would be shown to everybody: define it with "
                + "softDelete: true, or remove them first (DELETE FROM \(relation) WHERE \(condition))")
    }

    private func unfit(_ sentence: String) -> PostgresFailure {
        .table(.definition("the table \(name) can't be adopted: \(sentence)"))
    }
}
