/// Gives an index or a sequence of PostgreSQL another name.
public enum RenameStatement {
    /// The name is free for a table then; the new one, which begins with `zumod_`, is no table's.
    /// - Parameter kind: `index` or `sequence`.
    public static func moving(_ kind: String, named name: String) -> String {
        var builder = SQLBuilder(PostgresDialect())
        builder.append("ALTER \(kind.uppercased()) ")
        builder.identifier(name)
        builder.append(" RENAME TO ")
        builder.identifier("zumod_\(name)..moved")
        return builder.build().text
    }
}
