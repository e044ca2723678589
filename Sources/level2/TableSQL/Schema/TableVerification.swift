public import Tables

/// A database with checks that only apply to its kind.
public protocol VerifiedConnection: SQLConnection {
    /// Returns what is wrong with a table's triggers.
    func triggerFindings(of table: RegisteredTable) throws(Failure) -> [Finding]

    /// Returns what is wrong with columns that another program created.
    func adoptionFindings(of table: Identifier) throws(Failure) -> [Finding]

    /// Returns what is wrong with the numbers that the database assigns, in a table with such ids.
    func numberFindings(of table: Identifier) throws(Failure) -> [Finding]
}

/// Compares a database's tables with what the server relies on: columns, triggers, indexes, and the numbers of rows.
public struct TableVerification<Connection: VerifiedConnection> {
    private let connection: Connection
    private let definitions: [TableDefinition]
    /// The findings so far.
    public private(set) var findings: [Finding] = []
    /// The highest version that leaves room, and the tables with rows whose versions don't.
    private var usualVersion: Int64 = 0
    private var relationsAtEnd: [String] = []
    private var dialect: any SchemaDialect { connection.dialect }

    /// - Parameter definitions: the configuration's tables, whose columns and indexes must exist.
    public init(on connection: Connection, _ definitions: [TableDefinition]) {
        self.connection = connection
        self.definitions = definitions
    }

    /// Checks all tables, in one open transaction.
    public mutating func run() throws(Connection.Failure) {
        for entry in try connection.registeredTables() { try check(entry) }
        findings += try connection.unansweredLosses().map(Finding.lost)
        let counter = try lastVersion()
        let last = relationsAtEnd.isEmpty ? counter : max(counter, ImportRow.highestVersion.counter)
        let end = Finding.versionsAtEnd(
            last, of: relationsAtEnd, counter: dialect.remedies.movesVersions(to: usualVersion))
        // The remedies of tables use the counter, so it is repaired first.
        if let end { findings.insert(end, at: 0) }
    }

    private func lastVersion() throws(Connection.Failure) -> Int64 { try connection.lastVersion() ?? -1 }

    private mutating func check(_ entry: RegisteredTable) throws(Connection.Failure) {
        let name = entry.name
        guard let schema = try connection.schema(of: name), !schema.columnNames.isEmpty else {
            findings.append(.gone(name, forgetting: RowRemedies(of: name, in: dialect.remedies).forgetting))
            return
        }
        findings += Finding.shadows(among: schema.columnNames, of: name, in: dialect.physicalName(name.text))
        let definition = definitions.first { $0.name == name }
        let differences = schema.differences(
            from: definition?.columns ?? [], numbersRows: definition?.rules.autoIncrement)
        findings += differences.compactMap { $0.finding(in: name, with: schema.columnNames) }
        findings += try connection.triggerFindings(of: entry)
        guard schema.isWhole else { return }
        try checkIndexes(of: name, definition, schema.columns)
        try checkRows(of: entry, schema)
        try checkValues(of: name, schema)
    }

    /// Checks what other programs wrote into the columns of the app.
    private mutating func checkValues(of name: Identifier, _ schema: TableSchema) throws(Connection.Failure) {
        // SQLite's stamps are checked with the rows.
        let stamps: [Field] = dialect.isLooselyTyped ? [] : [.system(.createdAt)]
        let fields = [.system(.id)] + stamps + schema.columns.map(Field.own)
        let remedies = RowRemedies(of: name, in: dialect.remedies)
        findings += try connection.unfitValues(of: name, in: fields, numbersRows: schema.hasIntegerID) {
            $0.isFinding
        }.map { .unfit($0, of: name, respelling: remedies.respelling($0)) }
    }

    private mutating func checkIndexes(
        of name: Identifier, _ definition: TableDefinition?, _ columns: [Column]
    ) throws(Connection.Failure) {
        let table = Table(name: name, columns: columns, rules: TableRules())
        // Errors in definitions are reported by `zumod check`.
        let wanted = (try? definition?.indexFields(of: table)) ?? [Table.syncIndex]
        for statement in wanted.flatMap({ CreateIndexStatement.all($0, of: name, dialect: dialect) }) {
            let index = dialect.physicalName(statement.name)
            guard let found = try connection.rows(of: dialect.index(named: statement.name, of: name)).first else {
                findings.append(.missingIndex(index, of: name))
                continue
            }
            guard !found.boolean(0) else { continue }
            findings.append(
                Finding(
                    .invalidIndex, table: name.text, "its index \(index) is not valid", advice: "make it anew:",
                    sql: ["REINDEX INDEX \"\(index)\""]))
        }
    }

    private mutating func checkRows(
        of entry: RegisteredTable, _ schema: TableSchema
    ) throws(Connection.Failure) {
        let name = entry.name
        let relation = dialect.physicalName(name.text)
        findings += try connection.adoptionFindings(of: name)
        let remedies = RowRemedies(of: name, in: dialect.remedies)
        let highest = try connection.rows(of: InvariantStatement.highest(of: name)).first
        let latest = highest?.date(0)
        // If every row must have a stamp, no stamp means no row.
        guard latest != nil || dialect.isLooselyTyped else { return }
        let version = highest?.integer(1) ?? 0
        // Read after the rows, as it only grows meanwhile.
        let counter = try lastVersion()
        let usual = try connection.rows(of: InvariantStatement.highestUsual(of: name)).first
        usualVersion = max(usualVersion, usual?.integer(1) ?? 0)
        if version >= ImportRow.highestVersion.counter { relationsAtEnd.append(relation) }
        // Counters first, since the remedies of rows take new stamps and versions from them.
        findings += [
            .stampsAtEnd(of: entry, in: relation, latest: latest, usual: usual?.date(0)),
            .highVersion(version, over: counter, in: entry, remedy: remedies.highVersion),
            latest.flatMap { .lateStamp($0, in: entry, remedy: remedies.lateStamp) },
        ].compactMap(\.self)
        if dialect.isLooselyTyped, let (count, example) = try first(InvariantStatement.oddCells(of: name)) {
            findings.append(
                Finding(
                    .oddCells, table: name.text,
                    "rows without proper stamps, version or `deleted`: \(count), such as the one with the id \(example)",
                    advice: "give such rows new ones; what can be understood is kept:", sql: remedies.oddCells))
        }
        findings += Finding.stamps(
            of: name, repeated: try first(InvariantStatement.repeatedStamps(of: name)),
            disordered: try first(InvariantStatement.disorder(of: name, after: entry.imported)),
            remedies: (remedies.repeatedStamps, remedies.disorder(after: entry.imported)))
        let shown = Finding.visibleTombstones(
            highest?.integer(2) ?? 0, in: entry, removal: remedies.visibleTombstones)
        if let shown { findings.append(shown) }
        if schema.hasIntegerID { findings += try connection.numberFindings(of: name) }
    }

    /// - Returns: a number and an example; nil if the number is 0.
    private func first(_ sql: SQLFragment) throws(Connection.Failure) -> (Int64, String)? {
        guard let row = try connection.rows(of: sql).first, let count = row.integer(0), count > 0 else { return nil }
        return (count, row.words(1))
    }
}
