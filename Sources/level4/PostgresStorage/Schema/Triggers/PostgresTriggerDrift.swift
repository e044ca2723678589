import ByteText
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

        var isEnabled: Bool { text.hasPrefix("O ") }
        var hasCondition: Bool { condition.contains(" ") }

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
    func found() throws(PostgresFailure) -> [ExactText: State] {
        let rows = try connection.rows(
            """
            SELECT t.tgname::text,
                concat_ws(' ', replace(t.tgenabled::text, 'A', 'O'), t.tgtype, p.proname, encode(t.tgargs, 'hex')),
                concat_ws(' ', current_setting('server_version_num')::int8 / 10000,
                    replace(substring(pg_get_triggerdef(t.oid) FROM ' WHEN \\((.*)\\) EXECUTE '), '"', ''))
            FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_proc p ON p.oid = t.tgfoid
            WHERE c.relname = $1::text AND c.relnamespace = \(CurrentSchema.oid)
                AND NOT t.tgisinternal AND starts_with(t.tgname::text, 'zumod_')
            """, [.text(PostgresName.physical(table.text))])
        return Self.byName(rows) { State(text: $0.words(1), condition: $0.words(2)) }
    }

    /// Returns the triggers as they were created.
    func recorded() throws(PostgresFailure) -> [ExactText: Record] {
        let rows = try connection.rows(
            "SELECT name, statement, state, condition FROM zumod_triggers WHERE table_name = $1::text",
            [.text(table.text)])
        return Self.byName(rows) {
            Record(statement: $0.words(1), state: State(text: $0.words(2), condition: $0.words(3)))
        }
    }

    private static func byName<Trigger>(_ rows: [SQLRow], _ make: (SQLRow) -> Trigger) -> [ExactText: Trigger] {
        Dictionary(rows.map { (ExactText($0.words(0)), make($0)) }) { _, last in last }
    }

    /// Records the current state of the triggers, if it has changed.
    func record(
        _ triggers: [PostgresTriggers.Trigger], since before: [ExactText: Record]
    ) throws(PostgresFailure) {
        let found = try found()
        var now: [ExactText: Record] = [:]
        for trigger in triggers {
            let name = ExactText(trigger.name)
            now[name] = found[name].map { Record(statement: trigger.statement, state: $0) }
        }
        guard now != before else { return }
        var statements = [
            SQLText("DELETE FROM zumod_triggers WHERE table_name = $1::text", [.text(table.text)])
        ]
        for (name, record) in now.sorted(by: { $0.key < $1.key }) {
            let values = [table.text, name.text, record.statement, record.state.text, record.state.condition]
            statements.append(
                SQLText(
                    "INSERT INTO zumod_triggers VALUES ($1::text, $2::text, $3::text, $4::text, $5::text)",
                    values.map(Value.text)))
        }
        _ = try connection.run(statements)
    }
}
