extension [TableDefinition] {
    /// Checks that the definitions can be the tables of a database.
    public func check() throws(TableError) {
        var names: Set<Identifier> = []
        for definition in self {
            try definition.check()
            guard names.insert(definition.name).inserted else {
                throw .definition("the table \(definition.name) is defined twice")
            }
        }
    }
}

extension TableDefinition {
    /// Checks that the definition can be a database table.
    public func check() throws(TableError) {
        let folded = name.text.lowercased()
        if ["zumod_", "sqlite_", "pg_"].contains(where: folded.hasPrefix) {
            throw .definition("the table name \(name) is reserved: it begins with zumod_, sqlite_ or pg_")
        }
        if columns.count > Table.maximumColumns { throw .tooManyColumns(limit: Table.maximumColumns) }
        var seen: Set<Identifier> = []
        for column in columns {
            if SystemColumn(named: column.name.text) != nil {
                throw .definition("table \(name): the column \(column.name) is the server's own")
            }
            if !seen.insert(column.name).inserted {
                throw .definition("table \(name): the column \(column.name) is defined twice")
            }
        }
    }

    /// Returns the columns of each index that the table must have: the one that every table has, and its own.
    /// - Parameter table: the table created from the definition, with all its columns.
    public func indexFields(of table: Table) throws(TableError) -> [[Field]] {
        try [Table.syncIndex]
            + indexes.map { index throws(TableError) in
                guard !index.isEmpty else { throw .definition("table \(name): an index without columns") }
                return try index.map { column throws(TableError) in
                    guard let field = table.field(named: column.text) else {
                        throw .definition("table \(name): an index names the column \(column), which isn't defined")
                    }
                    return field
                }
            }
    }
}
