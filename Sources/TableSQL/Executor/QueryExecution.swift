public import Tables

/// What a `TableStore` does with queries that are too long for a link, by statements.
extension SQLExecutor where Self: TableStore {
    /// Writes the query in one transaction, unless it is kept already. Where several servers keep some at the same time, the
    /// bounds may be passed by those.
    public func keep(_ query: KeptQuery) async throws(TableError) -> Bool {
        if try await !rows(of: QueryStatements.isKept(query, dialect: dialect)).isEmpty { return true }
        return try await !execute([
            QueryStatements.forget(before: query.now, dialect: dialect), QueryStatements.keep(query, dialect: dialect),
        ]).isEmpty
    }

    /// Reads a row by its key.
    public func keptQuery(_ reference: String) async throws(TableError) -> String? {
        try await rows(of: QueryStatements.find(reference, dialect: dialect)).first?.text(0)
    }
}
