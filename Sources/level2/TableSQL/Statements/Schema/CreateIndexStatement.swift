public import Tables

/// Creates an index on some columns, unless it exists.
public struct CreateIndexStatement: Sendable {
    /// The statement with its bindings.
    public let sql: SQLText
    /// The index's name.
    public let name: String

    /// Returns the indexes for comparisons with the columns in every generation: if there is text among them, one that
    /// sorts it ignoring case (v1 and v2) and one by code point (v3); and for each text column, one of the rows that
    /// the former doesn't sort as queries do, if there can be any.
    public static func all(
        _ fields: [Field], of table: Identifier, dialect: any SchemaDialect
    ) -> [CreateIndexStatement] {
        let rules: [TextRule] = fields.contains(where: \.isText) ? [.ordered, .exact] : [.ordered]
        return rules.map { CreateIndexStatement(fields, text: $0, of: table, dialect: dialect) }
            + fields.filter { dialect.textsApart(in: $0) != nil }.map {
                CreateIndexStatement(fields, text: .ordered, of: table, dialect: dialect, apart: $0)
            }
    }

    /// Returns the columns of an index with a name given by `init`; nil for every other one, for the twins with other
    /// comparison rules, and for the index that every table has.
    public static func columns(ofIndex name: String, of table: Identifier) -> [Identifier]? {
        let prefix = "zumod_\(table.text).".lowercased()
        guard name.lowercased().hasPrefix(prefix), !name.contains("..") else { return nil }
        let columns = name.dropFirst(prefix.count).split(separator: ".").compactMap { Identifier($0) }
        return columns.map(\.text) == Table.syncIndex.map(\.name) ? nil : columns
    }

    /// - Parameters:
    ///   - fields: the columns in the order of the index.
    ///   - rule: how the index sorts text.
    ///   - apart: the column whose texts that aren't plain make up the index; nil for an index of all rows.
    init(
        _ fields: [Field], text rule: TextRule, of table: Identifier, dialect: any SchemaDialect, apart: Field? = nil
    ) {
        // Dots, which names can't contain, distinguish the index (b, c) of table a from the index (c) of table a_b; two
        // in a row, which no list of names has, precede the mark of the other rule.
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
    /// Whether texts of the column compare ignoring case for some clients.
    var isText: Bool {
        if case .own(let column) = self { column.type == .string } else { false }
    }
}
