import TableSQL
import Tables

/// Writes a definition's rows into its new table, on the way of every other insert.
struct SeedRows {
    private let preparation: SchemaPreparation

    init(_ preparation: SchemaPreparation) {
        self.preparation = preparation
    }

    func insert(_ rows: [[Property]], into table: Table) throws(PostgresFailure) {
        guard !rows.isEmpty else { return }
        var writes: [RowWrite] = []
        for (index, row) in rows.enumerated() {
            do throws(TableError) {
                writes.append(try RowWrite(seed: row, into: table))
            } catch {
                throw Self.failure(error, row: index, of: table)
            }
        }
        let transaction = try WriteTransaction(
            writes, on: preparation.connection, catalog: preparation.catalog, reader: preparation.reader,
            now: preparation.now, mark: nil, made: [table.name: table])
        try transaction.execute()
        for (index, outcome) in try transaction.outcomes(by: preparation.connection).enumerated() {
            switch outcome {
            case .success(let written) where written.outcome == .written: continue
            case .success: throw Self.failure(.definition("its id is taken"), row: index, of: table)
            case .failure(let error): throw Self.failure(error, row: index, of: table)
            }
        }
    }

    private static func failure(_ error: TableError, row: Int, of table: Table) -> PostgresFailure {
        .table(SeedRow.failure(error, row: row + 1, of: table.name))
    }
}
