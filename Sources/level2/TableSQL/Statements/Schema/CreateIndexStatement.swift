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
        let parts = fields.map { field -> SQLFragment in
            let prefix = dialect.indexPrefix(of: field, text: rule)
            let suffix = dialect.indexSuffix(of: field, text: rule)
            return "\(SQLFragment(stringLiteral: prefix))\(field)\(SQLFragment(stringLiteral: suffix))"
        }
        let rows = apart.flatMap { dialect.textsApart(in: $0) }.map { " WHERE \($0)" as SQLFragment } ?? ""
        let index: SQLFragment = "CREATE INDEX IF NOT EXISTS \(SQLFragment(named: name)) ON \(table)"
        sql = SQLText("\(index) (\(parts.joined()))\(rows)", dialect)
    }
}

extension Field {
    /// Whether texts of the column compare without regard to case for some clients.
    var isText: Bool {
        if case .own(let column) = self { column.type == .string } else { false }
    }
}
