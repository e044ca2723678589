import Tables

/// Writes a definition's rows into its new table, on the way of every other insert.
struct SeedRows {
    private let session: WriteSession

    init(_ session: WriteSession) {
        self.session = session
    }

    func insert(_ rows: [[Property]], into name: Identifier) throws(TableError) {
        for (index, row) in rows.enumerated() {
            do throws(TableError) {
                try insert(row, into: name)
            } catch {
                throw SeedRow.failure(error, row: index + 1, of: name)
            }
        }
    }

    private func insert(_ members: [Property], into name: Identifier) throws(TableError) {
        let table = try session.table(named: name)
        let row = try SeedRow(members, for: table)
        let changes = try table.changes(from: row.properties, for: .insert)
        let result = try session.insert(changes, from: row.properties, id: row.id, in: name)
        if result.outcome != .written { throw .definition("its id is taken") }
    }
}
