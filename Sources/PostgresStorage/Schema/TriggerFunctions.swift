import PostgresMigrations
import Tables

/// The functions that the triggers of tables call, as the migrations made them.
enum TriggerFunctions {
    /// A function, with the statement that makes it in the place of one of its name.
    struct Function {
        let name: String
        let statement: String
        /// What stands between the marks of its text, as the catalog keeps it.
        let body: String
    }

    static let all: [Function] = {
        var latest: [String: Function] = [:]
        for migration in PostgresMigrations.all {
            for function in functions(in: "\n" + String(decoding: migration.script, as: UTF8.self)) {
                latest[function.name] = function
            }
        }
        return latest.values.sorted { $0.name < $1.name }
    }()

    /// Makes those anew that another program has changed or removed.
    /// - Returns: their names.
    static func mend(on connection: PostgresConnection) throws(PostgresFailure) -> Set<String> {
        let lost = try lost(on: connection)
        // A later version's functions are none of this one's business.
        if lost.isEmpty { return [] }
        if try SchemaAge(on: connection).isLater { return [] }
        for function in lost { _ = try connection.run(function.statement) }
        // One that is made anew has the rights of whoever calls it.
        try connection.run(script: rights)
        return Set(lost.map(\.name))
    }

    /// Those that another program has changed or removed.
    static func lost(on connection: PostgresConnection) throws(PostgresFailure) -> [Function] {
        let result = try connection.run(
            """
            SELECT proname::text, prosrc FROM pg_proc
            WHERE pronamespace = \(CurrentSchema.oid) AND prorettype = 'trigger'::regtype
            """)
        var bodies: [String: String] = [:]
        for row in 0..<result.rowCount { bodies[result.string(row, 0)] = result.string(row, 1) }
        return all.filter { bodies[$0.name] != $0.body }
    }

    /// Gives all functions the rights and settings that they run with.
    private static let rights: String = {
        let migration = PostgresMigrations.all.first { $0.name.hasSuffix("-own-functions") }
        let script = String(decoding: migration?.script ?? [], as: UTF8.self)
        guard let start = script.firstRange(of: "\nDO $migration$") else {
            preconditionFailure("no migration gives the functions their rights")
        }
        return String(script[start.lowerBound...])
    }()

    private static func functions(in script: String) -> [Function] {
        var found: [Function] = []
        for part in script.components(after: "\nCREATE ") {
            let rest = part.hasPrefix("OR REPLACE ") ? part.dropFirst("OR REPLACE ".count) : part
            guard rest.hasPrefix("FUNCTION zumod_"),
                let name = rest.dropFirst("FUNCTION ".count).split(separator: "(").first,
                let begin = rest.firstRange(of: "$$"), rest[..<begin.lowerBound].contains("RETURNS trigger"),
                let end = rest[begin.upperBound...].firstRange(of: "$$")
            else { continue }
            found.append(
                Function(
                    name: String(name), statement: "CREATE OR REPLACE \(rest[..<end.upperBound])",
                    body: String(rest[begin.upperBound..<end.lowerBound])))
        }
        return found
    }
}

extension String {
    /// What stands behind each of the places of a text.
    fileprivate func components(after separator: String) -> [Substring] {
        ranges(of: separator).map { self[$0.upperBound...] }
    }
}
