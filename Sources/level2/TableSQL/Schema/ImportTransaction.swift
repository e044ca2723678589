public import Scalars
public import Tables

/// Imports rows in an open transaction, while no other writes to the table.
///
/// `ImportPlan` decides what is written, this protocol in which order, and a store how its database widens a table and
/// gives numbers.
public protocol ImportTransaction {
    /// The type of the connection.
    associatedtype Connection: SQLConnection

    /// The connection in use.
    var connection: Connection { get }

    /// Adds columns to a table, if there are any to add.
    /// - Returns: the table with them.
    func widen(_ table: Table, by columns: [Column]) throws(Connection.Failure) -> Table

    /// Moves the numbers past those that the plan keeps, and takes the new ones that it needs after them.
    func takeNumbers(
        for plan: ImportPlan, of table: Identifier
    ) throws(Connection.Failure) -> (versions: [Version], stamps: [Instant])

    /// Runs the statements that write, which find the last version in the database.
    func run(_ writes: [SQLText]) throws(Connection.Failure)
}

extension ImportTransaction {
    /// Imports a batch into a table that is as the database has it.
    public func importRows(_ batch: ImportBatch, into table: Table) throws(Connection.Failure) -> ImportOutcome {
        let plan = try ImportPlan(batch, for: table, on: connection)
        if let index = plan.takenIndex { return .taken(index: index) }
        let table = try widen(table, by: plan.newColumns)
        let (versions, stamps) = try takeNumbers(for: plan, of: table.name)
        guard let writes = plan.writes(versions, stamps, into: table, dialect: connection.dialect) else {
            throw .table(.failed(detail: "too few versions were given"))
        }
        try run(writes + plan.endings(of: batch, into: table, dialect: connection.dialect))
        return .written(plan.counts)
    }
}
