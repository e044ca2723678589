import ByteText
import TableSQL
import Tables

/// Why a table of another program can't become one of zumod's, beside its columns: each reason as a sentence. Under any of
/// them either the other program or the devices would lose rows or writes without a word.
enum AdoptionObstacles {
    /// - Parameters:
    ///   - relation: the table's number.
    ///   - former: its columns that will have another name.
    static func all(
        of relation: Int64, named name: String, renaming former: [String], on connection: PostgresConnection
    ) throws(PostgresFailure) -> [String] {
        let results = try connection.run(
            [Self.relation, Self.family, Self.rules, Self.keys, Self.triggers].map {
                SQLText($0, [.integer(relation)])
            })
        return ofRelation(results[0]) + ofFamily(results[1]) + ofRules(results[2]) + ofKeys(results[3])
            + ofTriggers(results[4], of: name, renaming: former)
            + ofStrayingTriggers(results[4])
    }

    // MARK: The table itself

    private static let relation = """
        SELECT c.relpersistence::text, c.reloftype <> 0, row_security_active(c.oid),
            pg_has_role(c.relowner, 'USAGE'), pg_get_userbyid(c.relowner)::text, current_user::text
        FROM pg_class c WHERE c.oid = $1::int8::oid
        """

    private static func ofRelation(_ result: PostgresResult) -> [String] {
        guard result.rowCount > 0 else { return [] }
        var sentences: [String] = []
        if result.string(0, 0) == "u" {
            sentences.append(
                "it is unlogged, and a crash of the database empties it: ALTER TABLE … SET LOGGED keeps its rows")
        }
        if result.boolean(0, 1) {
            sentences.append("it is a table of a type, which takes no columns: ALTER TABLE … NOT OF")
        }
        if result.boolean(0, 2) {
            sentences.append(
                "its row-level security hides rows from the user \(result.string(0, 5)): give it the right BYPASSRLS, or own "
                    + "the table without FORCE ROW LEVEL SECURITY")
        }
        if !result.boolean(0, 3) {
            sentences.append(
                "it belongs to \(result.string(0, 4)), and the user \(result.string(0, 5)) may not change it: "
                    + "adopt it as its owner")
        }
        return sentences
    }

    // MARK: Inheritance

    private static let family = """
        SELECT 'parent', i.inhparent::regclass::text FROM pg_inherits i WHERE i.inhrelid = $1::int8::oid
        UNION ALL SELECT 'child', i.inhrelid::regclass::text FROM pg_inherits i WHERE i.inhparent = $1::int8::oid
        UNION ALL SELECT 'partitioned', '' FROM pg_class WHERE oid = $1::int8::oid AND relkind = 'p'
        ORDER BY 1, 2
        """

    private static func ofFamily(_ result: PostgresResult) -> [String] {
        var names: [String: [String]] = [:]
        for row in 0..<result.rowCount { names[result.string(row, 0), default: []].append(result.string(row, 1)) }
        let parents = (names["parent"] ?? []).joined(separator: ", ")
        let children = (names["child"] ?? []).joined(separator: ", ")
        if names["partitioned"] != nil { return ["it is partitioned, and rows come into partitions past its triggers"] }
        return
            (parents.isEmpty ? [] : ["it is a part of \(parents), whose statements write its rows past its triggers"])
            + (children.isEmpty ? [] : ["it has the rows of others by inheritance (\(children)), past its triggers"])
    }

    // MARK: Rules

    private static let rules = """
        SELECT rulename::text FROM pg_rewrite WHERE ev_class = $1::int8::oid AND rulename <> '_RETURN' ORDER BY 1
        """

    private static func ofRules(_ result: PostgresResult) -> [String] {
        (0..<result.rowCount).map {
            "its rule \(result.string($0, 0)) does something else in the place of writes, or beside them: make a trigger of it"
        }
    }

    // MARK: Keys

    private static let keys = """
        SELECT conname::text, conrelid::regclass::text, confrelid::regclass::text, contype::text, condeferrable,
            conrelid = $1::int8::oid, confdeltype::text, confupdtype::text
        FROM pg_constraint
        WHERE (conrelid = $1::int8::oid OR confrelid = $1::int8::oid)
            AND (condeferrable OR contype = 'f' AND (confdeltype IN ('c', 'n', 'd') OR confupdtype IN ('c', 'n', 'd')))
        ORDER BY 1, 2
        """

    private static func ofKeys(_ result: PostgresResult) -> [String] {
        var sentences: [String] = []
        for row in 0..<result.rowCount {
            let (name, kind) = (result.string(row, 0), result.string(row, 3))
            let place = result.boolean(row, 5) ? "its" : "the table \(result.string(row, 1))'s"
            if result.boolean(row, 4) {
                let noun = kind == "f" ? "foreign key" : kind == "t" ? "constraint trigger" : "key"
                sentences.append(
                    "\(place) \(noun) \(name) is deferrable: it would refuse the writes of many at their common commit")
            }
            let actions = [("DELETE", result.string(row, 6)), ("UPDATE", result.string(row, 7))]
                .compactMap { event, action in words(of: action).map { "ON \(event) \($0)" } }
            guard kind == "f", !actions.isEmpty else { continue }
            let direction = result.boolean(row, 5) ? "of \(result.string(row, 2))" : "of this table"
            sentences.append(
                "\(place) foreign key \(name) says \(actions.joined(separator: " ")): rows would change or go with those "
                    + "\(direction), and devices never learn of it; make it NO ACTION")
        }
        return sentences
    }

    /// What a foreign key does by itself; nil where it refuses.
    private static func words(of action: String) -> String? {
        switch action {
        case "c": "CASCADE"
        case "n": "SET NULL"
        case "d": "SET DEFAULT"
        default: nil
        }
    }

    // MARK: Triggers

    /// Those that fire in a usual session. The bits of pg_trigger.tgtype: 1 for each row, 2 before, 4 insert, 16 update.
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

    /// Those after which zumod's transaction, and its session, would find other tables by the same names.
    private static func ofStrayingTriggers(_ result: PostgresResult) -> [String] {
        (0..<result.rowCount).filter { TriggerSource.setsSearchPath(result.string($0, 3)) }.map {
            "its trigger \(result.string($0, 0)) sets search_path for all that comes after it: have its function do so alone, "
                + "by ALTER FUNCTION … SET search_path = …"
        }
    }
}
