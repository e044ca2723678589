public import Operating
import PostgresStorage
public import ServerConfiguration
import Tables

/// A table made by another program, to be taken over by `zumod table create NAME --adopt`.
public struct TableAdoption: Sendable {
    /// The plan, for the operator to read before anything is changed.
    public let lines: [String]
    private let plan: PostgresAdoption

    /// Examines the table and plans the adoption; changes nothing. The table's definition in the configuration says
    /// whether deleted rows are kept as tombstones.
    ///
    /// - Parameter name: the name of the table, in any case.
    /// - Throws: `configuration` if the table can't be adopted, or the database is not PostgreSQL.
    public init(of name: String, by configuration: Configuration) async throws(StartFault) {
        guard let name = Identifier(name) else { throw .configuration("\(name) is no name of a table") }
        guard case .postgres(let url) = configuration.database else {
            throw .configuration("only tables of a PostgreSQL database can be adopted; this one is SQLite")
        }
        let definition = configuration.tables.first { $0.name == name }
        plan = try await StartFault.asking(
            await PostgresAdoption.plan(name, softDelete: definition?.rules.softDelete ?? false, url: url))
        var lines = ["The table \(plan.table) becomes one of zumod's by this, in one transaction:", ""]
        lines += plan.statements.map { "\($0);" } + [""]
        if !plan.ignoredColumns.isEmpty {
            lines.append("In no answer, since clients can't write them: \(plan.ignoredColumns.joined(separator: ", "))")
        }
        if definition == nil {
            lines.append("To serve it, define it in the configuration: tables/\(plan.table).yaml")
        }
        self.lines = lines
    }

    /// Carries out the plan, completely or not at all.
    ///
    /// - Throws: `configuration` if the table has changed since, `database` if a statement fails.
    public func perform() async throws(StartFault) {
        try await StartFault.asking(await plan.perform())
    }
}
