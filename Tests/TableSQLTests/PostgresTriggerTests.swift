import ByteText
import TableSQL
import Tables
import Testing

/// Databases remember the statements: a start takes one with another text for an older version's, and makes the trigger anew.
@Suite("Triggers on PostgreSQL")
struct PostgresTriggerTests {
    private let triggers = PostgresTriggers(for: QueryFixture.todo.name, softDelete: true)

    @Test func `have the text that databases remember`() {
        #expect(
            triggers.all.map(\.statement) == [
                """
                CREATE OR REPLACE TRIGGER zumod_turn BEFORE INSERT OR UPDATE OR DELETE ON "todo"
                FOR EACH STATEMENT WHEN (current_setting('zumod.writes', true) IS DISTINCT FROM 'on') \
                EXECUTE FUNCTION zumod_take_turn('todo')
                """,
                """
                CREATE OR REPLACE TRIGGER zumod_inserted BEFORE INSERT ON "todo"
                FOR EACH ROW WHEN (current_setting('zumod.writes', true) IS DISTINCT FROM 'on' OR pg_trigger_depth() > 0
                    OR NEW."version" IS NULL) EXECUTE FUNCTION zumod_renew('todo')
                """,
                """
                CREATE OR REPLACE TRIGGER zumod_updated BEFORE UPDATE ON "todo"
                FOR EACH ROW WHEN (current_setting('zumod.writes', true) IS DISTINCT FROM 'on' OR pg_trigger_depth() > 0
                    OR NEW."version" IS NOT DISTINCT FROM OLD."version") EXECUTE FUNCTION zumod_renew('todo')
                """,
                """
                CREATE OR REPLACE TRIGGER zumod_deleted BEFORE DELETE ON "todo"
                FOR EACH ROW WHEN (current_setting('zumod.writes', true) IS DISTINCT FROM 'on' OR pg_trigger_depth() > 0)
                EXECUTE FUNCTION zumod_keep()
                """,
                """
                CREATE OR REPLACE TRIGGER zumod_truncated BEFORE TRUNCATE ON "todo"
                FOR EACH STATEMENT WHEN (current_setting('zumod.writes', true) IS DISTINCT FROM 'on') \
                EXECUTE FUNCTION zumod_keep()
                """,
            ])
    }

    @Test func `have the state that the catalog tells of them`() {
        #expect(
            triggers.all.map(\.state) == [
                "O 30 zumod_take_turn 746f646f00", "O 7 zumod_renew 746f646f00", "O 19 zumod_renew 746f646f00",
                "O 11 zumod_keep ", "O 34 zumod_keep ",
            ])
    }

    @Test func `are changed where they are not sound, and dropped where none may be`() {
        #expect(triggers.changes(since: [:], [:] as [ExactText: Int]) == triggers.all.map(\.statement))
        let hard = PostgresTriggers(for: QueryFixture.todo.name, softDelete: false)
        let sound = Dictionary(uniqueKeysWithValues: hard.all.map { (ExactText($0.name), $0.statement) })
        #expect(hard.changes(since: sound, [ExactText("zumod_keep"): 1]) == [])
        #expect(
            hard.changes(since: sound, [ExactText("zumod_deleted"): 1]) == [#"DROP TRIGGER zumod_deleted ON "todo""#])
        #expect(triggers.changes(since: sound, sound).count == 2)
    }
}
