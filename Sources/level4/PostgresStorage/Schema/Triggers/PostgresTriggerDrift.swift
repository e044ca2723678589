import Scalars
import TableSQL
import Tables

/// The record of a table's triggers from one start to the next. Used inside a `SchemaTransaction`.
struct PostgresTriggerDrift {
    let connection: PostgresConnection
    let table: Identifier

    /// A trigger as the catalog describes it.
    struct State: Equatable {
        /// Whether it is enabled, when and for what it fires, and the function that it calls with its arguments.
        let text: String
        /// PostgreSQL's version and its text of the condition, which may differ between versions.
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

    /// A trigger as it was created.
    struct Record: Equatable {
        let statement: String
        let state: State
    }

    /// Returns our triggers by name, as they are now.
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

    /// Returns the triggers as they were created.
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

    /// Records the current state of the triggers, if it has changed.
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

    /// Returns the triggers that another program has removed or changed. If nothing was recorded for a table yet, those
    /// that every version created are expected.
    /// - Parameter functions: functions that were lost, along with all triggers that call them.
    static func names(
        recorded: [String: Record], found: [String: State], functions: Set<String>, essential: [String]
    ) -> [String] {
        guard !recorded.isEmpty else { return essential.filter { found[$0] == nil } }
        return recorded.filter { name, record in
            guard let state = found[name] else { return true }
            return !state.isSame(as: record.state) || state.calls(oneOf: functions)
        }.keys.sorted()
    }

    /// Gives every row a new version and stamp, in their current order, and records why.
    /// - Parameters:
    ///   - names: the triggers that were lost.
    ///   - softDelete: whether deletes should have left tombstones.
    ///   - isTrial: whether everything is rolled back anyway, so that rows need no change.
    func mend(_ names: [String], softDelete: Bool, at now: Instant, isTrial: Bool) throws(PostgresFailure) {
        try connection.note(lost: names, of: table, at: now)
        guard !isTrial else { return }
        let count = try connection.rowCount(of: table)
        // The stamps lie before the current time, as far as there is room.
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
