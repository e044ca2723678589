import Operating
import Tables

/// The rows of one table in a file, and the table that they belong to.
struct ImportPart {
    /// The export's description of the table; nil in a file that isn't an export.
    let header: TransferHeader?
    /// The table in the database, or as it will be created.
    let known: Table
    /// Whether the table has yet to be created.
    let isNew: Bool
    /// Whether the end of the table's export was read.
    var isComplete = false
    private var maker: RowBuilder

    /// The table with the columns that it gains.
    var table: Table { maker.table }
    /// The columns that it gains.
    var newColumns: [Column] { maker.newColumns }

    /// Creates a part for the rows after a header.
    /// - Throws: `data` if the table can't take such rows.
    init(
        _ header: TransferHeader, among store: any TableStore, _ reader: TransferReader
    ) throws(CommandFault) {
        self.header = header
        guard let known = store.table(named: header.name) else {
            var rules = TableRules()
            rules.softDelete = header.softDelete
            rules.autoIncrement = header.hasIntegerIDs
            self.known = Table(name: header.name, columns: Self.ownColumns(of: header), rules: rules)
            isNew = true
            maker = RowBuilder(self.known, namedAsHere: true)
            return
        }
        self.known = known
        isNew = false
        guard known.rules.autoIncrement == header.hasIntegerIDs else {
            throw reader.fault(
                "the ids of table \(known.name) are \(header.hasIntegerIDs ? "whole numbers here and text" : "text here and whole numbers") in the database"
            )
        }
        let missing = Self.ownColumns(of: header).filter { known.column($0.name) == nil }
        if let first = missing.first, !known.rules.dynamicSchema {
            throw reader.fault(
                "table \(known.name) has no column \(first.name), and dynamicSchema is off: add it to the table's file")
        }
        maker = RowBuilder(known, adding: missing, namedAsHere: true)
    }

    /// Returns the columns of an exported table, without those that contain system values under the names of Mobile
    /// Services.
    private static func ownColumns(of header: TransferHeader) -> [Column] {
        header.columns.filter { SystemColumn(formerly: $0.name.text) == nil }
    }

    /// Returns the name of the table for the rows of a file without headers.
    static func tableName(of file: String, _ name: String?) -> String {
        name ?? file.split(separator: "/").last.map { String($0.prefix { $0 != "." }) } ?? ""
    }

    /// Creates a part for the rows of a file without headers.
    init(
        tableOf file: String, _ name: String?, among store: any TableStore, _ reader: TransferReader
    ) throws(CommandFault) {
        header = nil
        isNew = false
        let name = Self.tableName(of: file, name)
        guard let known = Identifier(name).flatMap({ store.table(named: $0) }) else {
            throw reader.fault(
                "there is no table \(name) for these rows: define it first, or name another with --table")
        }
        self.known = known
        maker = RowBuilder(known)
    }

    mutating func row(_ cells: [TransferReader.Cell], _ reader: TransferReader) throws(CommandFault) -> ImportRow {
        do throws(RowBuilder.Fault) {
            return try maker.row(cells)
        } catch {
            throw reader.fault(error.sentence)
        }
    }

    /// Returns the table in the database, creating it if necessary.
    func make(in store: any TableStore) async throws(TableError) -> Table {
        guard isNew else { return known }
        return try await store.createTable(
            TableDefinition(name: known.name, columns: known.columns, rules: known.rules))
    }
}
