/// Gives an index or a sequence of PostgreSQL another name.
public enum RenameStatement {
    /// The name is free for a table then; the new one, which begins with `zumod_`, is no table's.
    /// - Parameter kind: `index` or `sequence`.
    public static func moving(_ kind: String, named name: String) -> String {
        let (kind, moved) = (SQLFragment(stringLiteral: kind.uppercased()), SQLFragment(named: "zumod_\(name)..moved"))
        return SQLText("ALTER \(kind) \(SQLFragment(named: name)) RENAME TO \(moved)", PostgresDialect()).text
    }
}
