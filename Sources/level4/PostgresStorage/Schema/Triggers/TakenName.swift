import TableSQL
import Tables

extension PostgresSchemaPreparation {
    /// Frees the name of a new table if PostgreSQL has given it to an index or a sequence of one of zumod's tables:
    /// `note_pkey` is the key of the table `note`.
    func free(_ name: Identifier) throws(PostgresFailure) {
        let name = PostgresName.physical(name.text)
        let result = try connection.run(
            """
            SELECT c.relkind = 'S', EXISTS (
                SELECT 1 FROM pg_class o JOIN zumod_tables t ON t.relation = o.relname
                WHERE o.relnamespace = c.relnamespace
                    AND (o.oid IN (SELECT i.indrelid FROM pg_index i WHERE i.indexrelid = c.oid)
                        OR o.oid IN (SELECT d.refobjid FROM pg_depend d
                            WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid
                                AND d.refclassid = 'pg_class'::regclass AND d.deptype IN ('a', 'i'))))
            FROM pg_class c WHERE c.relname = $1::text AND c.relkind IN ('i', 'I', 'S')
                AND c.relnamespace = \(CurrentSchema.oid)
            """, [.text(name)])
        guard result.rowCount > 0 else { return }
        let kind = result.boolean(0, 0) ? "sequence" : "index"
        guard result.boolean(0, 1) else {
            throw .table(.definition("the database has a \(kind) \(name): no table can have its name"))
        }
        // The new name begins with `zumod_`, so no table can have it.
        let (type, moved) = (SQLFragment(stringLiteral: kind.uppercased()), SQLFragment(named: "zumod_\(name)..moved"))
        _ = try connection.rows(of: "ALTER \(type) \(SQLFragment(named: name)) RENAME TO \(moved)")
    }
}
