import Scalars
import TableSQL
import Tables

/// What is known of a table's triggers from one start to the next. Runs inside a `SchemaTransaction`.
struct TriggerDrift {
    let connection: PostgresConnection
    let table: Identifier

    /// How the catalog tells of a trigger.
    struct State: Equatable {
        /// Whether it fires, when and for what, and which function it calls with what.
        let text: String
        /// PostgreSQL's version and its words for the condition. Another version may have others.
        let condition: String

        func isSame(as other: State) -> Bool {
            guard text == other.text else { return false }
            let versions = [condition, other.condition].map { $0.prefix { $0 != " " } }
            return versions[0] != versions[1] || condition == other.condition
        }

        func calls(oneOf functions: Set<String>) -> Bool {
            text.split(separator: " ").contains { functions.contains(String($0)) }
        }
    }

    /// A trigger as it was made.
    struct Record: Equatable {
        let statement: String
        let state: State
    }

    /// The triggers that are ours by their names.
    func found() throws(PostgresFailure) -> [String: State] {
        let result = try connection.run(
            """
            SELECT t.tgname::text,
                concat_ws(' ', replace(t.tgenabled::text, 'A', 'O'), t.tgtype, p.proname, encode(t.tgargs, 'hex')),
                concat_ws(' ', current_setting('server_version_num')::int8 / 10000,
                    replace(substring(pg_get_triggerdef(t.oid) FROM ' WHEN \\((.*)\\) EXECUTE '), '"', ''))
            FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_proc p ON p.oid = t.tgfoid
            WHERE c.relname = $1::text AND c.relnamespace = \(CurrentSchema.oid)
                AND NOT t.tgisinternal AND starts_with(t.tgname::text, 'zumod_')
            """, [.text(PostgresName.physical(table.text))])
        var found: [String: State] = [:]
        for row in 0..<result.rowCount {
            found[result.string(row, 0)] = State(text: result.string(row, 1), condition: result.string(row, 2))
        }
        return found
    }

    /// The triggers as they were made.
    func recorded() throws(PostgresFailure) -> [String: Record] {
        let result = try connection.run(
            "SELECT name, statement, state, condition FROM zumod_triggers WHERE table_name = $1::text",
            [.text(table.text)])
        var records: [String: Record] = [:]
        for row in 0..<result.rowCount {
            let state = State(text: result.string(row, 2), condition: result.string(row, 3))
            records[result.string(row, 0)] = Record(statement: result.string(row, 1), state: state)
        }
        return records
    }

    /// Takes note of the triggers as they are from now on, where that is news.
    func record(_ triggers: [(name: String, statement: String)], since before: [String: Record])
        throws(PostgresFailure)
    {
        let found = try found()
        var now: [String: Record] = [:]
        for (name, statement) in triggers {
            now[name] = found[name].map { Record(statement: statement, state: $0) }
        }
        guard now != before else { return }
        var statements = [
            SQLText("DELETE FROM zumod_triggers WHERE table_name = $1::text", [.text(table.text)])
        ]
        for (name, record) in now.sorted(by: { $0.key < $1.key }) {
            let values = [table.text, name, record.statement, record.state.text, record.state.condition]
            statements.append(
                SQLText(
                    "INSERT INTO zumod_triggers VALUES ($1::text, $2::text, $3::text, $4::text, $5::text)",
                    values.map(Value.text)))
        }
        _ = try connection.run(statements)
    }

    /// Which triggers another program removed or changed. Of a table of which nothing was recorded yet, those that tables
    /// had in every version.
    /// - Parameter functions: functions that were lost with all triggers that call them.
    static func names(
        recorded: [String: Record], found: [String: State], functions: Set<String>, essential: [String]
    ) -> [String] {
        guard !recorded.isEmpty else { return essential.filter { found[$0] == nil } }
        return recorded.filter { name, record in
            guard let state = found[name] else { return true }
            return !state.isSame(as: record.state) || state.calls(oneOf: functions)
        }.keys.sorted()
    }

    /// Gives every row a new version and stamp, in the order of those that it has, and remembers why.
    /// - Parameters:
    ///   - names: the triggers that were lost.
    ///   - softDelete: whether deletes were to be seen.
    ///   - isTrial: whether all is taken back anyway, so that the rows need no touch.
    func mend(_ names: [String], softDelete: Bool, at now: Instant, isTrial: Bool) throws(PostgresFailure) {
        try connection.note(lost: names, of: table, at: now)
        guard !isTrial else { return }
        let count = try connection.rowCount(of: table)
        // The stamps lie behind the clock as far as there is room.
        let taken = try connection.run(
            SQLText(
                """
                UPDATE zumod_tables SET last_stamp = greatest(last_stamp + $1::int8, $2::int8),
                    purged_through = CASE WHEN $3::bool
                        THEN greatest(purged_through, last_stamp + 1, $2::int8 - $1::int8 + 1)
                        ELSE purged_through END
                WHERE name = $4::text RETURNING last_stamp - $1::int8 + 1
                """,
                [
                    .integer(max(count, 1)), .integer(now.milliseconds), .boolean(softDelete), .text(table.text),
                ]))
        guard taken.rowCount > 0 else { return }
        let first = Instant(milliseconds: taken.integer(0, 0))
        _ = try connection.run(RenewRowsStatement.postgres(table, from: first))
    }
}
