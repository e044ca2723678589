import TableSQL
import Tables

/// The functions that tables' triggers call, as the migrations created them.
enum TriggerFunctions {
    /// A function, with the statement that creates or replaces it.
    struct Function {
        let name: String
        let statement: String
        /// The text between its quotes, as the catalog stores it.
        let body: String
    }

    static let all: [Function] = MigratedFunction.all.compactMap { function in
        guard let text = function.statements.last, text.contains("RETURNS trigger"),
            let begin = text.firstRange(of: "$$"), let end = text[begin.upperBound...].firstRange(of: "$$")
        else { return nil }
        return Function(
            name: function.name, statement: text, body: String(text[begin.upperBound..<end.lowerBound]))
    }

    /// Recreates functions that another program has changed or removed.
    /// - Returns: their names.
    static func mend(on connection: PostgresConnection) throws(PostgresFailure) -> Set<String> {
        let lost = try lost(on: connection)
        // Functions of a later version are left alone.
        if lost.isEmpty { return [] }
        if try SchemaVersionStatus(on: connection).isLater { return [] }
        for function in lost { _ = try connection.run(function.statement) }
        // A recreated function runs with the rights of its caller.
        try connection.run(script: rights)
        return Set(lost.map(\.name))
    }

    /// Returns the functions that another program has changed or removed.
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
        let migration = Migration.postgres.first { $0.name.hasSuffix("-own-functions") }
        let script = migration?.script ?? ""
        guard let start = script.firstRange(of: "\nDO $migration$") else {
            preconditionFailure("no migration gives the functions their rights")
        }
        return String(script[start.lowerBound...])
    }()
}
