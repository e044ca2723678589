import ByteText
import TableSQL
import Tables

/// Reasons, other than its columns, why another program's table can't be adopted, each as a sentence. Under any of them
/// either the other program or devices would silently lose rows or writes.
enum AdoptionObstacles {
    /// - Parameters:
    ///   - relation: the table's number.
    ///   - former: its columns that will be renamed.
    static func all(
        of relation: Int64, named name: String, renaming former: [String], on connection: PostgresConnection
    ) throws(PostgresFailure) -> [String] {
        let questions = [Self.relation, Self.family, Self.rules, Self.keys, Self.triggers]
        let results = try connection.run(questions.map { SQLText($0, [.integer(relation)]) })
        return results.dropLast().flatMap(\.rows).map { $0.words(0) }
            + ofTriggers(results[4], of: name, renaming: former) + ofStrayingTriggers(results[4])
    }

    // MARK: What the database itself puts into sentences

    private static let relation = """
        SELECT sentence FROM pg_class c CROSS JOIN LATERAL (VALUES
            (1, c.relpersistence = 'u',
                'it is unlogged, and a crash of the database empties it: ALTER TABLE … SET LOGGED keeps its rows'),
            (2, c.reloftype <> 0, 'it is a table of a type, which takes no columns: ALTER TABLE … NOT OF'),
            (3, row_security_active(c.oid), format('its row-level security hides rows from the user %s: give it the right '
                'BYPASSRLS, or own the table without FORCE ROW LEVEL SECURITY', current_user)),
            (4, NOT pg_has_role(c.relowner, 'USAGE'), format('it belongs to %s, and the user %s may not change it: adopt '
                'it as its owner', pg_get_userbyid(c.relowner), current_user))
        ) AS obstacle (place, holds, sentence) WHERE c.oid = $1::int8::oid AND holds ORDER BY place
        """

    private static let family = """
        SELECT sentence FROM pg_class c
        CROSS JOIN LATERAL (SELECT string_agg(inhparent::regclass::text, ', ' ORDER BY inhparent::regclass::text)
            FROM pg_inherits WHERE inhrelid = c.oid) AS parent (names)
        CROSS JOIN LATERAL (SELECT string_agg(inhrelid::regclass::text, ', ' ORDER BY inhrelid::regclass::text)
            FROM pg_inherits WHERE inhparent = c.oid) AS child (names)
        CROSS JOIN LATERAL (VALUES
            (1, c.relkind = 'p', 'it is partitioned, and rows come into partitions past its triggers'),
            (2, c.relkind <> 'p' AND parent.names IS NOT NULL,
                format('it is a part of %s, whose statements write its rows past its triggers', parent.names)),
            (3, c.relkind <> 'p' AND child.names IS NOT NULL,
                format('it has the rows of others by inheritance (%s), past its triggers', child.names))
        ) AS obstacle (place, holds, sentence) WHERE c.oid = $1::int8::oid AND holds ORDER BY place
        """

    private static let rules = """
        SELECT format('its rule %s does something else in the place of writes, or beside them: make a trigger of it', rulename)
        FROM pg_rewrite WHERE ev_class = $1::int8::oid AND rulename <> '_RETURN' ORDER BY rulename::text
        """

    private static let keys = """
        SELECT sentence FROM pg_constraint k CROSS JOIN LATERAL (SELECT
            CASE WHEN conrelid = $1::int8::oid THEN 'its' ELSE format('the table %s''s', conrelid::regclass) END,
            CASE WHEN conrelid = $1::int8::oid THEN format('of %s', confrelid::regclass) ELSE 'of this table' END,
            CASE contype WHEN 'f' THEN 'foreign key' WHEN 't' THEN 'constraint trigger' ELSE 'key' END
        ) AS word (whose, direction, noun)
        CROSS JOIN LATERAL (SELECT string_agg(format('ON %s %s', event, deed), ' ' ORDER BY event)
            FROM (VALUES ('DELETE', confdeltype), ('UPDATE', confupdtype)) AS change (event, letter)
            JOIN (VALUES ('c', 'CASCADE'), ('n', 'SET NULL'), ('d', 'SET DEFAULT')) AS deed (letter, deed)
                ON deed.letter = change.letter::text WHERE contype = 'f') AS action (words)
        CROSS JOIN LATERAL (VALUES
            (1, condeferrable, format('%s %s %s is deferrable: it would refuse the writes of many at their common commit',
                whose, noun, conname)),
            (2, action.words IS NOT NULL, format('%s foreign key %s says %s: rows would change or go with those %s, and '
                'devices never learn of it; make it NO ACTION', whose, conname, action.words, direction))
        ) AS obstacle (place, holds, sentence)
        WHERE (conrelid = $1::int8::oid OR confrelid = $1::int8::oid) AND holds
        ORDER BY conname::text, conrelid::regclass::text, place
        """

    // MARK: Triggers

    /// Triggers that fire in usual sessions. Bits of pg_trigger.tgtype: 1 for each row, 2 before, 4 insert, 16 update.
    private static let triggers = """
        SELECT t.tgname::text, t.tgtype & 3 = 3 AND t.tgtype & 20 <> 0, l.lanname::text, p.prosrc,
            encode(t.tgargs, 'escape')
        FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid JOIN pg_language l ON l.oid = p.prolang
        WHERE t.tgrelid = $1::int8::oid AND NOT t.tgisinternal AND t.tgenabled IN ('O', 'A')
            AND NOT starts_with(t.tgname, 'zumod_') ORDER BY 1
        """

    private static func ofTriggers(
        _ result: PostgresResult, of table: String, renaming former: [String]
    ) -> [String] {
        (0..<result.rowCount).compactMap { row in
            let (language, source) = (result.string(row, 2), result.string(row, 3))
            let arguments = result.string(row, 4).replacing("\\000", with: " ")
            let words = TriggerSource.names(in: "\(source) \(arguments)")
            if let name = former.first(where: { words.contains(ExactText($0)) }) {
                return
                    "its trigger \(result.string(row, 0)) speaks of \"\(name)\", which gets another name: every write "
                    + "would fail; drop the trigger, or have it leave that alone"
            }
            var columns = TriggerSource.mentioned(in: arguments)
            var setsAll = false
            switch language {
            // The source is the name of a symbol.
            case "c", "internal": break
            case "plpgsql":
                let read = TriggerSource(source, of: table)
                columns.formUnion(read.updates)
                guard result.boolean(row, 1) else { break }
                for assignment in read.assignments {
                    switch assignment {
                    case .column(let column): columns.insert(column)
                    case .wholeRow: setsAll = true
                    }
                }
            default: columns.formUnion(TriggerSource.mentioned(in: source))
            }
            let names = SystemColumn.allCases.filter(columns.contains).map { "\"\($0.rawValue)\"" }
            guard setsAll || !names.isEmpty else { return nil }
            let what = setsAll ? "the whole row" : names.joined(separator: ", ")
            return
                "its trigger \(result.string(row, 0)) sets \(what), which zumod alone may set: have it leave that alone"
        }
    }

    /// Triggers after which zumod's transaction, and its session, would find other tables under the same names.
    private static func ofStrayingTriggers(_ result: PostgresResult) -> [String] {
        (0..<result.rowCount).filter { TriggerSource.setsSearchPath(result.string($0, 3)) }.map {
            "its trigger \(result.string($0, 0)) sets search_path for all that comes after it: have its function do so alone, "
                + "by ALTER FUNCTION … SET search_path = …"
        }
    }
}
