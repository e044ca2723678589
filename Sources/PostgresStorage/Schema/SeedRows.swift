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
                writes.append(try Self.write(row, into: table))
            } catch {
                throw Self.failure(error, row: index, of: table)
            }
        }
        let transaction = try WriteTransaction(
            writes, on: preparation.connection, catalog: preparation.catalog, reader: preparation.reader,
            now: preparation.now, opening: false, made: [table.name: table])
        try transaction.execute()
        for (index, outcome) in try transaction.outcomes(by: preparation.connection).enumerated() {
            switch outcome {
            case .success(let written) where written.outcome == .written: continue
            case .success: throw Self.failure(.definition("its id is taken"), row: index, of: table)
            case .failure(let error): throw Self.failure(error, row: index, of: table)
            }
        }
    }

    private static func write(_ row: [Property], into table: Table) throws(TableError) -> RowWrite {
        let properties = row.filter { $0.name.lowercased() != SystemColumn.id.rawValue }
        return RowWrite(
            action: .insert, table: table.name, id: try id(of: row, in: table), properties: properties,
            changes: try table.changes(from: properties, for: .insert))
    }

    /// The row's id; a random one where a table with text ids is given none.
    private static func id(of row: [Property], in table: Table) throws(TableError) -> RowID? {
        let given = row.last { $0.name.lowercased() == SystemColumn.id.rawValue }?.value ?? .null
        switch (given, table.rules.autoIncrement) {
        case (.null, true): return nil
        case (.null, false): return .text(RandomID.make())
        case (.integer(let number), true): return .integer(number)
        case (.number(let number), true):
            if let whole = Int64(exactly: number) { return .integer(whole) }
        case (.text(let text), false):
            if !text.isEmpty, RowID.fault(inNew: text) == nil { return .text(text) }
        default: break
        }
        throw .definition("its id can't be one")
    }

    private static func failure(_ error: TableError, row: Int, of table: Table) -> PostgresFailure {
        let sentence =
            switch error {
            case .definition(let sentence): sentence
            case .unknownProperty(let name): "\(name) is not a column"
            case .reservedProperty(let name): "only the server sets \(name)"
            case .invalidColumnName(let name): "\(name) can't be a column's name"
            case .typeMismatch(let property, let column, let found):
                "\(property) is a \(column.rawValue) column, not for \(found.kind)"
            case .tooManyColumns(let limit): "the table would have more than \(limit) columns"
            case .query, .unavailable, .full, .failed: "it can't be written"
            }
        return .table(.definition("table \(table.name): seed row \(row + 1): \(sentence)"))
    }
}
