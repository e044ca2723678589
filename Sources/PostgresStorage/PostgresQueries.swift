import TableSQL
public import Tables

extension PostgresTableStore {
    /// Each statement by itself: where several servers keep some at the same time, the bounds may be passed by those.
    public func keep(_ query: KeptQuery) async throws(TableError) -> Bool {
        try watch.check()
        return try await quickPool.run { connection throws(PostgresFailure) in
            let dialect = PostgresDialect()
            if try connection.run(QueryStatements.isKept(query, dialect: dialect)).rowCount > 0 { return true }
            _ = try connection.run(QueryStatements.forget(before: query.now, dialect: dialect))
            return try connection.run(QueryStatements.keep(query, dialect: dialect)).rowCount > 0
        }
    }

    /// Read where single rows are.
    public func keptQuery(_ reference: String) async throws(TableError) -> String? {
        try watch.check()
        return try await quickPool.run { connection throws(PostgresFailure) in
            let rows = try connection.run(QueryStatements.find(reference, dialect: PostgresDialect()))
            return rows.rowCount > 0 ? rows.string(0, 0) : nil
        }
    }
}
