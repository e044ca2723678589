public import Tables

extension Identifier: ExpressibleByStringLiteral {
    /// A name in a case, which is known to be one.
    public init(stringLiteral text: String) {
        guard let identifier = Identifier(text) else { fatalError("\(text) is not a name") }
        self = identifier
    }
}

extension TableDefinition {
    /// The table of most cases.
    static func todo(_ change: (inout TableDefinition) -> Void = { _ in }) -> TableDefinition {
        var definition = TableDefinition(
            name: "TodoItem", columns: [Column("text", .string), Column("complete", .boolean)])
        change(&definition)
        return definition
    }

    static func softTodo(_ change: (inout TableDefinition) -> Void = { _ in }) -> TableDefinition {
        todo {
            $0.rules.softDelete = true
            change(&$0)
        }
    }

    /// A table with a column of each type.
    static let everyType = TableDefinition(
        name: "everything", columns: ColumnType.allCases.map { Column(Identifier(stringLiteral: "a_\($0)"), $0) })
}
