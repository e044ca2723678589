import Tables
import Testing

@testable import PostgresStorage

@Suite struct `What a trigger's function sets` {
    @Test(
        arguments: [
            ("BEGIN NEW.id := 1; END", [.column(.id)]),
            ("begin new . \"updatedAt\" = now(); end", [.column(.updatedAt)]),
            ("BEGIN NEW.updatedAt := 1; END", []), ("BEGIN NEW.updated_at := now(); RETURN NEW; END", []),
            ("BEGIN IF NEW.version = OLD.version THEN NEW.name = 'x'; END IF; RETURN NEW; END", []),
            (
                "BEGIN IF a THEN NEW.version = 1; ELSE NEW.deleted = true; END IF; END",
                [.column(.version), .column(.deleted)]
            ),
            ("BEGIN SELECT 1, true INTO STRICT x, NEW.deleted FROM t; END", [.column(.deleted)]),
            ("BEGIN INSERT INTO audit VALUES (NEW.id); RETURN NEW; END", []),
            ("BEGIN INSERT INTO audit SELECT NEW.id, NEW.version; RETURN NEW; END", []),
            (
                "BEGIN -- NEW.id := 1;\n /* NEW.id := /* */ 2; */ PERFORM 'NEW.id := 1;'; RETURN COALESCE(NEW, OLD); END",
                []
            ),
            ("BEGIN NEW := jsonb_populate_record(NEW, j); RETURN NEW; END", [.wholeRow]),
            ("BEGIN RETURN jsonb_populate_record(NEW, j); END", [.wholeRow]),
            ("BEGIN RETURN NULL; END", []), ("DECLARE r ALIAS FOR NEW; BEGIN r.id := 1; RETURN r; END", [.column(.id)]),
        ] as [(String, Set<TriggerSource.Assignment>)])
    func `what a trigger's function sets is read from its text`(source: String, set: Set<TriggerSource.Assignment>) {
        #expect(TriggerSource(source, of: "Bikes").assignments == set)
    }

    @Test(
        arguments: [
            ("BEGIN UPDATE \"Bikes\" SET \"updatedAt\" = now() WHERE id = NEW.id; END", [.updatedAt]),
            ("BEGIN UPDATE ONLY public.\"Bikes\" AS b SET name = 'a', (version, x) = (1, 2) FROM t; END", [.version]),
            ("BEGIN UPDATE bikes SET version = 1; END", []), ("BEGIN UPDATE shops SET version = NEW.version; END", []),
            (
                "BEGIN UPDATE \"Bikes\" SET name = (SELECT max(id) FROM t WHERE version = 1) WHERE deleted = false; END",
                []
            ),
            (
                "BEGIN INSERT INTO \"Bikes\" (id) VALUES (1) ON CONFLICT (id) DO UPDATE SET deleted = false; END",
                [.deleted]
            ),
            ("BEGIN EXECUTE format('UPDATE %I SET version = version + 1', TG_TABLE_NAME); END", [.version]),
            ("BEGIN EXECUTE 'UPDATE ' || TG_RELID::regclass || ' SET version = 1'; END", [.version]),
            ("BEGIN EXECUTE 'UPDATE shops SET version = 1'; END", []),
            ("BEGIN RAISE NOTICE 'UPDATE SET version = 1'; END", []),
        ] as [(String, Set<SystemColumn>)])
    func `what a trigger's function updates of its table is read from its text`(source: String, set: Set<SystemColumn>)
    {
        #expect(TriggerSource(source, of: "Bikes").updates == set)
    }

    @Test(arguments: [
        ("BEGIN SET search_path = audit; RETURN NEW; END", true), ("SET LOCAL search_path TO a, b;", true),
        ("PERFORM pg_catalog.set_config('search_path', 'audit', true);", true),
        ("EXECUTE 'SET search_path TO ' || quote_ident(s);", true),
        ("PERFORM current_setting('search_path');", false),
        ("PERFORM set_config('app.user', 'search_path', true);", false),
        ("-- SET search_path\nRETURN NEW;", false),
    ])
    func `what sets the search path is read from its text`(source: String, isFound: Bool) {
        #expect(TriggerSource.setsSearchPath(source) == isFound)
    }
}
