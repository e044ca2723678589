import Foundation
import OData
import TableSQL
public import Tables

/// Reads a database file and says what in it is not as it has to be. Changes nothing; servers may go on writing.
public struct SQLiteVerification {
    private let connection: SQLiteConnection
    private let path: String
    private let definitions: [TableDefinition]
    private var findings: [Finding] = []
    /// The highest version that leaves room, and the tables with rows whose versions don't.
    private var usualVersion: Int64 = 0
    private var tablesAtEnd: [String] = []

    /// - Parameter tables: the tables of the configuration, whose columns and indexes have to be there.
    /// - Throws: `unavailable` where there is no database.
    public static func findings(in path: String, tables: [TableDefinition]) throws(TableError) -> [Finding] {
        guard FileManager.default.fileExists(atPath: path) else {
            throw FileObstacle.absence(of: path)
        }
        var findings: [Finding] = []
        do throws(TableError) {
            let connection = try SQLiteConnection(.file(path), role: .reader)
            var verification = SQLiteVerification(connection: connection, path: path, definitions: tables)
            defer { findings = verification.findings }
            try verification.run()
        } catch {
            // Whatever else SQLite has to say is no reason to go back to a backup.
            guard let damage = FileDamage(error) else { throw error }
            findings.append(damage.finding)
        }
        return findings
    }

    private init(connection: SQLiteConnection, path: String, definitions: [TableDefinition]) {
        self.connection = connection
        self.path = path
        self.definitions = definitions
    }

    private mutating func run() throws(TableError) {
        try checkFile()
        let age = try SchemaAge(of: connection)
        guard age.isKnown, age.pending.isEmpty, !age.isLater else {
            findings.append(.otherSchema(isLater: age.isLater))
            return
        }
        // One moment for all that is compared.
        try connection.run("BEGIN")
        defer { try? connection.run("ROLLBACK") }
        var counter: Int64 = -1
        try connection.query("SELECT value FROM zumod_counters WHERE name = 'version'") {
            counter = $0.integer(at: 0)
        }
        var registered: [RegisteredTable] = []
        try connection.query("SELECT name, last_stamp, soft_delete, imported_through FROM zumod_tables ORDER BY name") {
            guard let name = Identifier($0.string(at: 0)) else { return }
            registered.append(
                RegisteredTable(
                    name: name, lastStamp: $0.integer(at: 1), softDelete: $0.integer(at: 2) != 0,
                    imported: Version(counter: $0.integer(at: 3))))
        }
        let start = findings.count
        for entry in registered { try check(entry, counter: counter) }
        findings += try LostTriggers.unanswered(in: connection).map(Finding.lost)
        let last = tablesAtEnd.isEmpty ? counter : max(counter, ImportRow.highestVersion.counter)
        let end = Finding.versionsAtEnd(
            last, of: tablesAtEnd,
            counter: "UPDATE zumod_counters SET value = \(usualVersion) WHERE name = 'version'")
        // The remedies of tables take numbers of the counter: it is mended first.
        if let end { findings.insert(end, at: start) }
    }

    private mutating func checkFile() throws(TableError) {
        var complaints: [String] = []
        try connection.query("PRAGMA integrity_check(1000)") { complaints.append($0.string(at: 0)) }
        findings += FileDamage.findings(for: complaints)
        try checkReferences()
        var mode = ""
        try connection.query("PRAGMA journal_mode") { mode = $0.string(at: 0) }
        if mode != "wal" {
            findings.append(
                Finding(
                    .journal, "the file keeps no write-ahead log (journal mode \(mode))",
                    advice: "the next start sets it, as `zumod migrate` does"))
        }
    }

    /// References that another program has declared.
    private mutating func checkReferences() throws(TableError) {
        let advice = "`PRAGMA foreign_key_check` in sqlite3 names them; zumod itself makes no such references"
        var strays: [String] = []
        do throws(TableError) {
            try connection.query("PRAGMA foreign_key_check") { strays.append($0.string(at: 0)) }
        } catch {
            guard case .failed(let detail) = error, FileDamage(error) == nil else { throw error }
            findings.append(
                Finding(.strayReference, "references to other tables can't be checked: \(detail)", advice: advice))
        }
        for table in Set(strays).sorted() {
            findings.append(
                Finding(
                    .strayReference, table: table, "rows refer to rows of other tables that aren't there",
                    advice: advice))
        }
    }

    private mutating func check(_ entry: RegisteredTable, counter: Int64) throws(TableError) {
        let name = entry.name
        let columns = try connection.columns(of: name.text).map(\.name)
        guard !columns.isEmpty else {
            findings.append(.gone(name, forgetting: RowRemedies(of: name, in: .sqlite).forgetting))
            return
        }
        findings += Finding.shadows(among: columns, of: name, in: name.text)
        let missing = SystemColumn.allCases.filter { !columns.contains($0.rawValue) }
        findings += missing.map { .lost($0, of: name) }
        let definition = definitions.first { $0.name == name }
        let ownColumns = try TableSchema(of: name, in: connection)?.columns ?? []
        if let definition { findings += Finding.lost(definition, among: ownColumns) }
        try checkTriggers(of: entry)
        guard missing.isEmpty else { return }
        try checkIndexes(of: name, definition, ownColumns)
        try checkRows(of: entry, counter: counter)
    }

    private mutating func checkTriggers(of entry: RegisteredTable) throws(TableError) {
        let name = entry.name
        for trigger in SQLiteTriggers(for: name, softDelete: entry.softDelete).all where trigger.text != nil {
            var text: String?
            try connection.query(
                "SELECT sql FROM sqlite_master WHERE type = 'trigger' AND name = ?1", [.text(trigger.name)]
            ) { text = $0.string(at: 0) }
            guard text != trigger.text else { continue }
            findings.append(
                .trigger(trigger.name, of: name, is: text == nil ? "missing" : "not the one that zumod made"))
        }
    }

    private mutating func checkIndexes(
        of name: Identifier, _ definition: TableDefinition?, _ columns: [Column]
    ) throws(TableError) {
        var wanted: [[Field]] = [[.system(.updatedAt), .system(.id)]]
        if let definition {
            // What a definition asks for wrongly is `zumod check`'s to tell.
            let table = Table(name: name, columns: columns, rules: definition.rules)
            wanted += (try? definition.indexFields(of: table)) ?? []
        }
        for statement in wanted.flatMap({ CreateIndexStatement.all($0, of: name, dialect: SQLiteDialect()) }) {
            var isThere = false
            try connection.query(
                "SELECT 1 FROM sqlite_master WHERE type = 'index' AND name = ?1 AND lower(tbl_name) = lower(?2)",
                [.text(statement.name), .text(name.text)]
            ) { _ in isThere = true }
            if !isThere { findings.append(.missingIndex(statement.name, of: name)) }
        }
    }

    private mutating func checkRows(of entry: RegisteredTable, counter: Int64) throws(TableError) {
        let (name, dialect) = (entry.name, SQLiteDialect())
        let remedies = RowRemedies(of: name, in: .sqlite)
        var latest: Instant?
        var (version, tombstones) = (Int64(0), Int64(0))
        let highest = InvariantStatement.highest(of: name, dialect: dialect)
        try connection.query(highest.text, highest.bindings) {
            latest = Instant($0.string(at: 0))
            (version, tombstones) = ($0.integer(at: 1), $0.integer(at: 2))
        }
        var (usual, usualStamp) = (Int64(0), Instant?.none)
        let room = InvariantStatement.highestUsual(of: name, dialect: dialect)
        try connection.query(room.text, room.bindings) {
            (usualStamp, usual) = (Instant($0.string(at: 0)), $0.integer(at: 1))
        }
        usualVersion = max(usualVersion, usual)
        if version >= ImportRow.highestVersion.counter { tablesAtEnd.append(name.text) }
        try checkNumbers(of: name)
        // The counters first, of which the remedies of rows take new stamps and versions.
        findings += [
            .stampsAtEnd(of: entry, in: name.text, latest: latest, usual: usualStamp),
            .highVersion(version, over: counter, in: entry, remedy: remedies.highVersion),
            latest.flatMap { .lateStamp($0, in: entry, remedy: remedies.lateStamp) },
        ].compactMap(\.self)
        if let (count, example) = try first(InvariantStatement.oddCells(of: name)) {
            findings.append(
                Finding(
                    .oddCells, table: name.text,
                    "rows without proper stamps, version or `deleted`: \(count), such as the one with the id \(example)",
                    advice: "give such rows new ones; what can be understood is kept:", sql: remedies.oddCells))
        }
        findings += Finding.stamps(
            of: name, repeated: try first(InvariantStatement.repeatedStamps(of: name, dialect: dialect)),
            disordered: try first(InvariantStatement.disorder(of: name, after: entry.imported, dialect: dialect)),
            remedies: (remedies.repeatedStamps, remedies.disorder(after: entry.imported)))
        let shown = Finding.visibleTombstones(tombstones, in: entry, removal: remedies.visibleTombstones)
        if let shown { findings.append(shown) }
    }

    private mutating func checkNumbers(of name: Identifier) throws(TableError) {
        guard try TableSchema(of: name, in: connection)?.hasIntegerID == true else { return }
        var (highest, given) = (Int64(0), Int64(0))
        let statement = InvariantStatement.highestNumber(of: name, dialect: SQLiteDialect())
        try connection.query(statement.text, statement.bindings) { highest = $0.integer(at: 0) }
        try connection.query("SELECT seq FROM sqlite_sequence WHERE lower(name) = lower(?1)", [.text(name.text)]) {
            given = $0.integer(at: 0)
        }
        let end = Finding.idsAtEnd(
            of: name, in: name.text, highest: highest, given: given,
            counter: """
                UPDATE sqlite_sequence SET seq = (SELECT coalesce(max("id"), 0) FROM "\(name)") WHERE name = '\(name)'
                """)
        if let end { findings.append(end) }
    }

    /// - Returns: a number and an example; nil where the number is 0.
    private func first(_ sql: SQLText) throws(TableError) -> (Int64, String)? {
        var found: (Int64, String) = (0, "")
        try connection.query(sql.text, sql.bindings) { found = ($0.integer(at: 0), $0.string(at: 1)) }
        return found.0 > 0 ? found : nil
    }
}
