import ByteText
import Foundation
import TableSQL
public import Tables

/// Reads a database file and reports what is wrong with it. Changes nothing; servers may keep writing.
public enum SQLiteVerification {
    /// - Parameter tables: the tables of the configuration, whose columns and indexes must exist.
    /// - Throws: `unavailable` if there is no database.
    public static func findings(in path: String, tables: [TableDefinition]) throws(TableError) -> [Finding] {
        var findings: [Finding] = []
        do throws(TableError) {
            let connection = try SQLiteConnection.examining(path)
            try connection.checkFile(path, &findings)
            let age = try SchemaVersionStatus(on: connection)
            guard age.isCurrent else { return findings + [.otherSchema(isLater: age.isLater)] }
            // All comparisons are as of one moment.
            try connection.run("BEGIN")
            defer { try? connection.run("ROLLBACK") }
            var verification = TableVerification(on: connection, tables)
            defer { findings += verification.findings }
            try verification.run()
        } catch {
            // Any other error of SQLite is no reason to restore a backup.
            guard let damage = FileDamage(error) else { throw error }
            findings.append(damage.finding)
        }
        return findings
    }
}

extension SQLiteConnection {
    fileprivate func checkFile(_ path: String, _ findings: inout [Finding]) throws(TableError) {
        findings += FileDamage.findings(for: try rows("PRAGMA integrity_check(1000)").map { $0.words(0) })
        try checkReferences(&findings)
        let mode = try rows("PRAGMA journal_mode").first?.words(0) ?? ""
        if mode != "wal", !FileObstacle.isSealed(path) || !Self.keepsLog(path) {
            findings.append(
                Finding(
                    .journal, "the file keeps no write-ahead log (journal mode \(mode))",
                    advice: "the next start sets it, as `zumod migrate` does"))
        }
    }

    /// Whether a sealed file says of itself that it keeps a log: SQLite says that it has none
    /// (sqlite.org/fileformat.html). Closing any other file here would release the locks that this process holds on it.
    private static func keepsLog(_ path: String) -> Bool {
        let header = FileHandle(forReadingAtPath: path).flatMap { try? $0.read(upToCount: 20) }
        return header?.dropFirst(18).first == 2
    }

    /// Checks foreign keys declared by other programs.
    private func checkReferences(_ findings: inout [Finding]) throws(TableError) {
        let advice = "`PRAGMA foreign_key_check` in sqlite3 names them; zumod itself makes no such references"
        var strays: [String] = []
        do throws(TableError) {
            try query("PRAGMA foreign_key_check") { strays.append($0.string(at: 0)) }
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
}

extension SQLiteConnection: VerifiedConnection {
    func triggerFindings(of table: RegisteredTable) throws(TableError) -> [Finding] {
        let found = try SQLiteTriggerDrift(connection: self, table: table.name).found()
        return SQLiteTriggers(for: table.name, softDelete: table.softDelete).all.compactMap { name, wanted in
            let text = found[ExactText(name)]
            guard let wanted, !text.isExactly(wanted) else { return nil }
            return .trigger(name, of: table.name, is: text == nil ? "missing" : "not the one that zumod made")
        }
    }

    /// On SQLite, tables are never adopted from other programs.
    func adoptionFindings(of table: Identifier) -> [Finding] { [] }

    func numberFindings(of table: Identifier) throws(TableError) -> [Finding] {
        let top = try rows(of: InvariantStatement.highestNumber(of: table)).first
        let end = Finding.idsAtEnd(
            of: table, in: table.text, highest: top?.integer(0) ?? 0, given: try lastNumber(of: table) ?? 0,
            counter: """
                UPDATE sqlite_sequence SET seq = (SELECT coalesce(max("id"), 0) FROM "\(table)") WHERE name = '\(table)'
                """)
        return [end].compactMap(\.self)
    }
}
