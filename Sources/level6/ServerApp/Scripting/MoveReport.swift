import Access
import Scripts
import ServerConfiguration
import TableSQL
import Tables
import TransactSQL

extension Application {
    /// A report for an operator who moves a project here: who may do what and which line says so, what requests pass
    /// through, what becomes of its SQL on either database, and what is different. Empty unless scripts were examined
    /// for it.
    /// - Parameter tables: the tables that would be served.
    func moveReport(over tables: [Table]) -> [String] {
        guard let scripts = configuration.scripts, let report = scripts.inventory.report else { return [] }
        let isOld = scripts.inventory.tables.contains { $0.generation == .v1 }
        return permissions(scripts, report) + Self.chain(report)
            + report.statements.map { Self.trial(of: $0, prefixesSystemColumns: isOld, over: tables) }
            + report.differences.map { "differs \(Self.words($0.place)): \($0.text)" }
    }

    private func permissions(_ scripts: ScriptHost, _ report: ScriptReport) -> [String] {
        let root = scripts.project.root + "/"
        let tables = scripts.inventory.tables.compactMap { script -> String? in
            guard let name = Identifier(script.name), let sources = configuration.accessSources[name] else {
                return nil
            }
            if script.isBroken { return "table \(script.name): \(Self.isBroken)" }
            let said = sources.map { source in
                let place = source.said.map { "\($0.origin): \($0.key)".replacing(root, with: "") }
                return (source.operation.rawValue, "\(source.level.rawValue) (\(place ?? "nothing says it"))")
            }
            return "permissions of table \(script.name): \(Self.words(said))"
        }
        let apis = scripts.inventory.apis.compactMap { api -> String? in
            if api.isBroken { return "API /api/\(api.name): \(Self.isBroken)" }
            let said = report.permissions.filter { $0.api == api.name }.map { said in
                let place = said.key.map { "\(Self.words(said.place)): \($0)" }
                return (said.verb, "\(said.level) (\(place ?? "nothing says it"))")
            }
            return said.isEmpty ? nil : "permissions of API /api/\(api.name): \(Self.words(said))"
        }
        return tables + apis
    }

    private static let isBroken = "everybody is answered 500, since its file can't be read"

    /// Lists each item with its level; a level that all share is given once.
    private static func words(_ said: [(of: String, level: String)]) -> String {
        guard let first = said.first, said.count > 1, said.allSatisfy({ $0.level == first.level }) else {
            return said.map { "\($0.of) \($0.level)" }.joined(separator: ", ")
        }
        return "everything \(first.level)"
    }

    private static func chain(_ report: ScriptReport) -> [String] {
        report.chain.enumerated().map { index, step in
            let path = step.path.isEmpty ? "" : ", \(step.path)"
            let place = words(step.place)
            return "chain \(index + 1), \(step.stage)\(path): \(step.name)" + (place.isEmpty ? "" : " (\(place))")
        }
    }

    private static func trial(
        of statement: ScriptReport.Text, prefixesSystemColumns: Bool, over tables: [Table]
    ) -> String {
        let place = "SQL \(words(statement.place))"
        if statement.isOpen { return "\(place): is put together while the script runs, and was not tried" }
        let dialects: [(String, any TransactDialect)] = [
            ("SQLite", SQLiteDialect()), ("PostgreSQL", PostgresDialect()),
        ]
        let results = dialects.map { name, dialect in
            let fault = TransactDryRun.fault(
                of: statement.text, on: dialect, prefixesSystemColumns: prefixesSystemColumns
            ) { wanted in tables.first { $0.name == Identifier(wanted) } }
            return (name: name, fault: fault?.description)
        }
        if let fault = results[0].fault, results.allSatisfy({ $0.fault == fault }) {
            return "\(place): is refused on SQLite and PostgreSQL: \(fault)"
        }
        let words = results.map { result in
            result.fault.map { "is refused on \(result.name): \($0)" } ?? "works on \(result.name)"
        }
        return "\(place): \(words.joined(separator: ", "))"
    }

    /// Returns a position such as `tables/notes.js:3`, as far as it is known.
    private static func words(_ place: ScriptReport.Place) -> String {
        place.line.map { "\(place.file):\($0)" } ?? place.file
    }
}
