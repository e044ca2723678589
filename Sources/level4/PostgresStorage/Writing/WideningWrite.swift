import OData
import TableSQL
import Tables

/// Writes with columns that their table doesn't have.
extension WriteTransaction {
    /// Performs a write that adds columns. If it changes no row, it adds none.
    func executeWidening(
        _ index: Int, _ changes: RowChanges, _ renewal: VersionBump, in table: Table, _ relation: Int64?
    ) throws(PostgresFailure) {
        let write = writes[index]
        let find: SQLText?
        do throws(QueryError) {
            find = try write.findStatement(in: table, now: now)
        } catch {
            outcomes[index] = .failure(TableError(error))
            return
        }
        if let find, let refusal = write.refusal(found: try connection.run(find), in: table) {
            outcomes[index] = refusal
            return
        }
        if let name = try unserved(among: changes.newColumns, of: table.name) {
            outcomes[index] = .failure(.unknownProperty(name.text))
            return
        }
        let (before, relationsBefore) = (changedTables, changedRelations)
        if write.scope != nil { _ = try connection.run("SAVEPOINT widening") }
        guard let wider = try widen(table, by: changes.newColumns) else {
            outcomes[index] = .failure(.tooManyClientColumns(limit: catalog.limits.columns))
            return
        }
        var steps = WriteSteps()
        // Each column adds one.
        let widerRelation = relation.map { $0 + Int64(changes.newColumns.count) }
        changedRelations[table.name] = widerRelation
        add(index, to: &steps, changes, renewal, in: wider, widerRelation, findsNow: false)
        try run(&steps)
        if case .success = outcomes[index] { return }
        outcomes[index] = outcomes[index] ?? write.outcome(found: nil, in: table)
        guard write.scope != nil else { return }
        _ = try connection.run("ROLLBACK TO widening")
        (changedTables, changedRelations) = (before, relationsBefore)
    }

    /// Returns the name of a new column that the database has already for one that can't be served, such as an enum of
    /// another program; nil if there is none. It differs by case at most, which would make two columns of one name.
    private func unserved(among columns: [Column], of table: Identifier) throws(PostgresFailure) -> Identifier? {
        guard let schema = try connection.schema(of: table) else { return nil }
        return columns.map(\.name).first { name in
            !schema.columns.contains { $0.name == name } && schema.columnNames.contains { Identifier($0) == name }
        }
    }

    /// Adds columns that a client asks for: for this transaction immediately, for others after its commit.
    /// - Returns: nil if that would be more than clients may add.
    private func widen(_ table: Table, by columns: [Column]) throws(PostgresFailure) -> Table? {
        let take = ClientColumnsStatement.take(columns.count, of: table.name, limit: catalog.limits.columns)
        if try connection.rows(of: take).isEmpty { return nil }
        _ = try connection.run(AddedColumns.statements(columns, to: table.name) + [.nextEpoch])
        let wider = table.adding(columns)
        changedTables[table.name] = wider
        return wider
    }
}
