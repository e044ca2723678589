public import Tables

/// Creates an index over some columns, unless it exists.
public struct CreateIndexStatement: Sendable {
    /// The statement with its bindings.
    public let sql: SQLText
    /// The index's name.
    public let name: String

    /// The indexes that serve comparisons with the columns in every generation: with text among them, one that sorts it
    /// without regard to case (v1 and v2) and one that sorts it by code point (v3); and for each column of text one of
    /// the rows that the former doesn't sort as queries do, where there are such.
    public static func all(
        _ fields: [Field], of table: Identifier, dialect: any SchemaDialect
    ) -> [CreateIndexStatement] {
        let rules: [TextRule] = fields.contains(where: \.isText) ? [.ordered, .exact] : [.ordered]
        return rules.map { CreateIndexStatement(fields, text: $0, of: table, dialect: dialect) }
            + fields.filter { dialect.textsApart(in: $0) != nil }.map {
                CreateIndexStatement(fields, text: .ordered, of: table, dialect: dialect, apart: $0)
            }
    }

    /// The columns of an index that bears the name which `init` gives; nil for every other one, for the twins that hold
    /// other rules of comparison, and for the index that every table has.
    public static func columns(ofIndex name: String, of table: Identifier) -> [Identifier]? {
        let prefix = "zumod_\(table.text).".lowercased()
        guard name.lowercased().hasPrefix(prefix), !name.contains("..") else { return nil }
        let columns = name.dropFirst(prefix.count).split(separator: ".").compactMap { Identifier($0) }
        return columns.map(\.text) == Table.syncIndex.map(\.name) ? nil : columns
    }

    /// - Parameters:
    ///   - fields: the columns in the order of the index.
    ///   - rule: how the index sorts text.
    ///   - apart: the column whose texts that aren't plain are all the index contains; nil for an index of all rows.
    init(
        _ fields: [Field], text rule: TextRule, of table: Identifier, dialect: any SchemaDialect, apart: Field? = nil
    ) {
        // Dots, which no name can hold, keep the index (b, c) of table a apart from the index (c) of table a_b; two on
        // end, which no list of names makes, begin the mark of the other rule.
        name =
            (["zumod_\(table.text)"] + fields.map(\.name)).joined(separator: ".") + (rule == .exact ? "..exact" : "")
            + (apart.map { "..apart.\($0.name)" } ?? "")
        var builder = SQLBuilder(dialect)
        builder.append("CREATE INDEX IF NOT EXISTS ")
        builder.identifier(name)
        builder.append(" ON ")
        builder.identifier(table.text)
        builder.append(" (")
        for (index, field) in fields.enumerated() {
            if index > 0 { builder.append(", ") }
            builder.append(dialect.indexPrefix(of: field, text: rule))
            builder.field(field)
            builder.append(dialect.indexSuffix(of: field, text: rule))
        }
        builder.append(")")
        if let condition = apart.flatMap({ dialect.textsApart(in: $0) }) {
            builder.append(" WHERE ")
            builder.append(condition)
        }
        sql = builder.build()
    }
}

extension Field {
    /// Whether texts of the column compare without regard to case for some clients.
    var isText: Bool {
        if case .own(let column) = self { column.type == .string } else { false }
    }
}
