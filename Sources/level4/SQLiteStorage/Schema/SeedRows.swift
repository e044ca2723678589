import TableSQL
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
        let write = try RowWrite(seed: members, into: session.table(named: name))
        if try session.perform(write).outcome != .written { throw .definition("its id is taken") }
    }
}
