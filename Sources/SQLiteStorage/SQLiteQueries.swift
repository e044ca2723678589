import TableSQL
public import Tables

extension SQLiteTableStore {
    /// Written on the writer's thread, unless it is kept already.
    public func keep(_ query: KeptQuery) async throws(TableError) -> Bool {
        let known = QueryStatements.isKept(query, dialect: SQLiteDialect())
        let isKept = try await read { connection throws(TableError) in
            var isKept = false
            try connection.query(known.text, known.bindings) { _ in isKept = true }
            return isKept
        }
        if isKept { return true }
        return try await writer.write { session throws(TableError) in
            try session.connection.run(QueryStatements.forget(before: query.now, dialect: session.dialect))
            let keeping = QueryStatements.keep(query, dialect: session.dialect)
            var isKept = false
            try session.connection.query(keeping.text, keeping.bindings) { _ in isKept = true }
            return isKept
        }
    }

    /// Read as single rows are.
    public func keptQuery(_ reference: String) async throws(TableError) -> String? {
        let finding = QueryStatements.find(reference, dialect: SQLiteDialect())
        return try await read { connection throws(TableError) in
            var text: String?
            try connection.query(finding.text, finding.bindings) { text = $0.string(at: 0) }
            return text
        }
    }
}
