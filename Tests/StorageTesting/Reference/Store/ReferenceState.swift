import Scalars
import Tables

/// All that the reference store keeps.
struct ReferenceState {
    var tables: [Identifier: ReferenceTable] = [:]
    var lastVersion: Int64 = 0
    var receipts: [[UInt8]: (kept: IdempotencyRecord, writtenAt: Instant)] = [:]
    var queries: [String: (query: StoredQuery, end: Instant)] = [:]
    var jobs: [String: (slot: Int64, end: Instant)] = [:]
    var devices: [DeviceSighting.Key: DeviceSighting] = [:]
    var believed: Instant?
    var isClosed = false

    /// Makes a table with its seed rows, if it can be one.
    mutating func make(
        _ definition: TableDefinition, for origin: RegisteredTable.Origin, now: Instant
    ) throws(TableError) -> Table {
        try definition.check()
        guard tables[definition.name] == nil else { throw .definition("\(definition.name) is defined twice") }
        let plan = try SchemaPlan(definition, for: origin, registered: nil, found: nil)
        _ = try plan.indexes()
        try plan.check(clientTables: Int64(tables.values.count(where: \.table.isClients)), within: ClientLimits())
        var made = ReferenceTable(table: plan.table)
        for (index, members) in definition.seed.enumerated() {
            do throws(TableError) {
                let seed = try SeedRow(members, for: made.table)
                let row = try made.row(seed.id, seed.properties, deleted: false, made.renewal(&lastVersion, now: now))
                guard made.rows.updateValue(row, forKey: row.id) == nil else { throw .definition("its id is taken") }
            } catch {
                throw SeedRow.failure(error, row: index + 1, of: definition.name)
            }
        }
        tables[definition.name] = made
        return made.table
    }

    /// What is kept of a write that may be made once more.
    func kept(_ receipt: WriteReceipt?, now: Instant) -> IdempotencyRecord? {
        guard let receipt, let found = receipts[receipt.key] else { return nil }
        return found.writtenAt >= receipt.start(of: now) ? found.kept : nil
    }
}
