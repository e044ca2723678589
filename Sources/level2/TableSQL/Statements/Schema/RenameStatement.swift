/// Renames an index or a sequence in PostgreSQL.
public enum RenameStatement {
    /// Frees the name for a table; the new name begins with `zumod_`, so no table can have it.
    /// - Parameter kind: `index` or `sequence`.
    public static func moving(_ kind: String, named name: String) -> String {
        let (kind, moved) = (SQLFragment(stringLiteral: kind.uppercased()), SQLFragment(named: "zumod_\(name)..moved"))
        return SQLText("ALTER \(kind) \(SQLFragment(named: name)) RENAME TO \(moved)", PostgresDialect()).text
    }
}
