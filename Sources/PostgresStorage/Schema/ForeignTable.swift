import ByteText
import TableSQL
import Tables

/// A table that another program made, as far as adopting it needs to know it.
struct ForeignTable {
    /// The name as the database spells it.
    let name: Identifier
    private(set) var hasID = false
    private(set) var systemColumns: Set<SystemColumn> = []
    private(set) var ignoredColumns: [String] = []

    /// - Throws: `definition` where there is no such table, or it can't become one of zumod's.
    init(_ wanted: Identifier, on connection: PostgresConnection) throws(PostgresFailure) {
        let result = try connection.run(
            SQLText(
                text: """
                    SELECT c.relname::text, a.attname::text, a.atttypid, a.atthasdef OR a.attidentity <> '',
                        EXISTS (SELECT 1 FROM pg_index i WHERE i.indrelid = c.oid AND i.indisunique
                            AND i.indnkeyatts = 1 AND i.indkey[0] = a.attnum AND i.indpred IS NULL) AND a.attnotnull,
                        EXISTS (SELECT 1 FROM zumod_tables t WHERE t.relation = c.relname)
                    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
                    WHERE lower(c.relname::text) = lower($1::text) AND c.relkind IN ('r', 'p')
                        AND c.relnamespace = \(CurrentSchema.oid)
                    ORDER BY c.relname = $1::text DESC, c.relname, a.attnum
                    """, bindings: [.text(wanted.text)]))
        guard result.rowCount > 0, let name = Identifier(result.string(0, 0)) else {
            throw .table(.definition("the database has no table \(wanted)"))
        }
        self.name = name
        for row in 0..<result.rowCount where result.string(row, 0).isExactly(name.text) {
            if result.boolean(row, 5) { throw .table(.definition("the table \(name) is zumod's already")) }
            try add(
                result.string(row, 1), CellType(rawValue: UInt32(truncatingIfNeeded: result.bits(row, 2))),
                hasDefault: result.boolean(row, 3), isUnique: result.boolean(row, 4))
        }
    }

    private mutating func add(
        _ column: String, _ type: CellType?, hasDefault: Bool, isUnique: Bool
    ) throws(PostgresFailure) {
        guard let system = SystemColumn(named: column) else {
            if type == nil || Identifier(column) == nil { ignoredColumns.append(column) }
            return
        }
        guard column.isExactly(system.rawValue) else {
            throw unfit("its column \(column) stands in the way of the column \(system.rawValue)")
        }
        switch (system, type) {
        case (.id, .text), (.id, .varchar):
            hasID = true
        case (.id, .int8), (.id, .int4):
            guard hasDefault else { throw unfit("its ids are whole numbers, but the database doesn't give them") }
            hasID = true
        case (.createdAt, .timestampWithZone), (.updatedAt, .timestampWithZone), (.version, .int8),
            (.deleted, .boolean):
            systemColumns.insert(system)
        default:
            throw unfit("its column \(column) has a type that zumod can't use for it")
        }
        if system == .id, !isUnique { throw unfit("its ids are not unique: it needs a primary key of the column id") }
    }

    private func unfit(_ sentence: String) -> PostgresFailure {
        .table(.definition("the table \(name) can't be adopted: \(sentence)"))
    }
}
