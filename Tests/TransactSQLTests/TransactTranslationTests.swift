import Foundation
import Scalars
import TableSQL
import Tables
import Testing
import TransactSQL

@Suite("T-SQL as SQL of both databases")
struct TransactTranslationTests {
    /// Each script with its statements: `S` for SQLite, `P` for PostgreSQL, `B` for the values of the former.
    private static let table = #"""
        SELECT TOP 5 id, title AS t FROM [dbo].[todo] WHERE title = @t AND done = 1 ORDER BY createdAt DESC
        S SELECT s1."id" AS c1, s1."title" AS c2 FROM "todo" AS s1 WHERE ((s1."title" = ?1 COLLATE NOCASE) AND
            (s1."done" = ?2)) ORDER BY s1."createdAt" DESC LIMIT ?3
        P SELECT s1."id" AS c1, s1."title" AS c2 FROM "todo" AS s1 WHERE (((zumod_fold(s1."title") = ($1::text)
            COLLATE "C" AND zumod_sorted(s1."title") = ($1::text) COLLATE "C")) AND (s1."done" = $2::bool)) ORDER BY
            s1."createdAt" DESC NULLS LAST LIMIT $3::int8
        B 'Milk', true, 5

        SELECT p.*, 'a' x FROM people p WHERE p.__deleted = 0 -- all
        S SELECT s1."id" AS c1, s1."createdAt" AS c2, s1."updatedAt" AS c3, s1."version" AS c4, s1."deleted" AS c5,
            s1."name" AS c6, s1."age" AS c7, ?1 AS c8 FROM "people" AS s1 WHERE (s1."deleted" = ?2)
        P SELECT s1."id" AS c1, s1."createdAt" AS c2, s1."updatedAt" AS c3, s1."version" AS c4, s1."deleted" AS c5,
            s1."name" AS c6, s1."age" AS c7, $1::text AS c8 FROM "people" AS s1 WHERE (s1."deleted" = $2::bool)
        B 'a', false

        SELECT COUNT(*) AS n FROM todo WHERE title <> 'É' OR note = title
        S SELECT count(*) AS c1 FROM "todo" AS s1 WHERE ((s1."title" <> ?1 COLLATE zumod_nocase) OR (s1."note" =
            s1."title" COLLATE zumod_nocase))
        P SELECT count(*) AS c1 FROM "todo" AS s1 WHERE ((zumod_fold(s1."title") <> ($1::text) COLLATE "C") OR
            (zumod_fold(s1."note") = (zumod_fold(s1."title")) COLLATE "C"))
        B 'É'

        SELECT title + ' ' + note, price / 2, count / 2, price + count FROM todo
        S SELECT zumod_short(s1."title" || ?1 || s1."note", 2097152) AS c1, (s1."price" / ?2) AS c2,
            zumod_whole((s1."count" / ?3)) AS c3, (s1."price" + CAST(s1."count" AS REAL)) AS c4 FROM "todo" AS s1
        P SELECT zumod_short(s1."title" || $1::text || s1."note", 2097152) AS c1, zumod_divide(s1."price",
            $2::float8) AS c2, CAST(div(CAST(s1."count" AS numeric), nullif(CAST($3::int8 AS numeric), 0)) AS int8) AS c3,
            zumod_add(s1."price", CAST(s1."count" AS float8)) AS c4 FROM "todo" AS s1
        B ' ', 2.0, 2

        SELECT id FROM todo WHERE title LIKE 'a%' AND note LIKE '%b%' AND title LIKE '[a-c]_'
        S SELECT s1."id" AS c1 FROM "todo" AS s1 WHERE ((instr(zumod_lower(s1."title"), zumod_lower(?1)) = 1) AND
            (instr(zumod_lower(s1."note"), zumod_lower(?2)) > 0) AND zumod_matches(zumod_lower(s1."title"), ?3))
        P SELECT s1."id" AS c1 FROM "todo" AS s1 WHERE (starts_with(zumod_fold(s1."title"), $1::text) AND
            (strpos(zumod_fold(s1."note"), $2::text) > 0) AND (CAST(zumod_fold(s1."title") AS text) COLLATE "C" ~
            $3::text))
        B 'a', 'b', '^[a-c][^﷐]$'

        SELECT id FROM todo WHERE title IN ('A', @t) AND count IN (1, 2)
        S SELECT s1."id" AS c1 FROM "todo" AS s1 WHERE ((s1."title" COLLATE NOCASE IN (?1 COLLATE NOCASE, ?2 COLLATE
            NOCASE)) AND (s1."count" IN (?3, ?4)))
        P SELECT s1."id" AS c1 FROM "todo" AS s1 WHERE (((zumod_fold(s1."title")) COLLATE "C" IN (($1::text) COLLATE
            "C", ($2::text) COLLATE "C")) AND (s1."count" IN ($3::int8, $4::int8)))
        B 'A', 'Milk', 1, 2

        SELECT id FROM todo WHERE id IN (SELECT name FROM people WHERE age > 3)
        S SELECT s1."id" AS c1 FROM "todo" AS s1 WHERE (s1."id" IN (SELECT s3.c1 FROM (SELECT s2."name" AS c1 FROM
            "people" AS s2 WHERE (s2."age" > ?1)) AS s3))
        P SELECT s1."id" AS c1 FROM "todo" AS s1 WHERE (s1."id" IN (SELECT s3.c1 FROM (SELECT s2."name" AS c1 FROM
            "people" AS s2 WHERE (s2."age" > $1::float8)) AS s3))
        B 3.0

        SELECT t.id, p.name FROM todo t LEFT JOIN people p ON p.id = t.title WHERE p.age IS NULL
        S SELECT s1."id" AS c1, s2."name" AS c2 FROM "todo" AS s1 LEFT JOIN "people" AS s2 ON (s2."id" = s1."title")
            WHERE (s2."age" IS NULL)
        P SELECT s1."id" AS c1, s2."name" AS c2 FROM "todo" AS s1 LEFT JOIN "people" AS s2 ON (s2."id" =
            (s1."title") COLLATE "C") WHERE (s2."age" IS NULL)
        B none

        SELECT title, SUM(price) FROM todo GROUP BY title HAVING COUNT(*) > 1 ORDER BY 2
        S SELECT min(s1."title" COLLATE BINARY) AS c1, sum(s1."price") AS c2 FROM "todo" AS s1 GROUP BY
            zumod_lower(s1."title") HAVING (count(*) > ?1) ORDER BY sum(s1."price")
        P SELECT min((s1."title") COLLATE "C") AS c1, sum(s1."price") AS c2 FROM "todo" AS s1 GROUP BY
            zumod_fold(s1."title") HAVING (count(*) > $1::int8) ORDER BY sum(s1."price") NULLS FIRST
        B 1

        SELECT DISTINCT title FROM todo ORDER BY title
        S SELECT s3.c1 AS c1 FROM (SELECT min(s2.c1 COLLATE BINARY) AS c1 FROM (SELECT s1."title" AS c1 FROM "todo"
            AS s1) AS s2 GROUP BY zumod_lower(s2.c1)) AS s3 ORDER BY s3.c1 COLLATE zumod_order
        P SELECT s3.c1 AS c1 FROM (SELECT min((s2.c1) COLLATE "C") AS c1 FROM (SELECT s1."title" AS c1 FROM "todo"
            AS s1) AS s2 GROUP BY zumod_fold(s2.c1)) AS s3 ORDER BY (zumod_sorted(s3.c1)) COLLATE "C" NULLS FIRST
        B none

        SELECT id FROM todo UNION ALL SELECT id FROM people ORDER BY id OFFSET 1 ROWS FETCH NEXT 2 ROWS ONLY
        S SELECT s5.c1 AS c1 FROM (SELECT s3.c1 AS c1 FROM (SELECT s1."id" AS c1 FROM "todo" AS s1) AS s3 UNION ALL
            SELECT s4.c1 AS c1 FROM (SELECT s2."id" AS c1 FROM "people" AS s2) AS s4) AS s5 ORDER BY s5.c1 LIMIT ?1
            OFFSET ?2
        P SELECT s5.c1 AS c1 FROM (SELECT s3.c1 AS c1 FROM (SELECT s1."id" AS c1 FROM "todo" AS s1) AS s3 UNION ALL
            SELECT s4.c1 AS c1 FROM (SELECT s2."id" AS c1 FROM "people" AS s2) AS s4) AS s5 ORDER BY s5.c1 NULLS
            FIRST LIMIT $1::int8 OFFSET $2::int8
        B 2, 1

        SELECT ISNULL(title, 'x'), LEN(title), UPPER(title), CHARINDEX('a', title) FROM todo
        S SELECT coalesce(s1."title", ?1) AS c1, zumod_length(rtrim(s1."title")) AS c2, zumod_upper(s1."title") AS
            c3, ((instr(zumod_lower(s1."title"), zumod_lower(?2)) - 1) + 1) AS c4 FROM "todo" AS s1
        P SELECT coalesce(s1."title", $1::text) AS c1, zumod_length(rtrim(s1."title")) AS c2,
            zumod_upper(s1."title") AS c3, ((strpos(zumod_fold(s1."title"), $2::text) - 1) + 1) AS c4 FROM "todo" AS
            s1
        B 'x', 'a'

        SELECT CAST(price AS INT), CAST(count AS NVARCHAR(MAX)), CAST(done AS INT), CONVERT(VARCHAR, due, 23) FROM todo
        S SELECT zumod_cut(s1."price") AS c1, CAST(s1."count" AS TEXT) AS c2, s1."done" AS c3,
            substr(s1."due", 1, 10) AS c4 FROM "todo" AS s1
        P SELECT CAST(trunc(s1."price") AS int8) AS c1, CAST(s1."count" AS text) AS c2, CAST(CAST(s1."done" AS int4)
            AS int8) AS c3, substr(to_char((CAST(s1."due" AS timestamptz) AT TIME ZONE 'UTC'),
            'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 1, 10) AS c4 FROM "todo" AS s1
        B none

        SELECT id FROM todo WHERE due > DATEADD(day, -1, GETUTCDATE())
        S SELECT s1."id" AS c1 FROM "todo" AS s1 WHERE (s1."due" > zumod_moved(?1, ?2, 86400000))
        P SELECT s1."id" AS c1 FROM "todo" AS s1 WHERE (s1."due" > (((CAST($1::timestamptz AS timestamptz) AT TIME
            ZONE 'UTC') + CAST($2::int8 AS int8) * interval '1 day' + interval '103830043 days' - interval
            '105551469 days' + interval '1721426 days') AT TIME ZONE 'UTC'))
        B 2026-11-21T12:00:00.000Z, -1

        SELECT DATEDIFF(hour, due, createdAt), YEAR(due) FROM todo
        S SELECT ((CAST(strftime('%s', substr(s1."createdAt", 1, 13) || ':00') AS INTEGER) / 3600) -
            (CAST(strftime('%s', substr(s1."due", 1, 13) || ':00') AS INTEGER) / 3600)) AS c1, CAST(substr(s1."due",
            1, 4) AS INTEGER) AS c2 FROM "todo" AS s1
        P SELECT (CAST(floor(extract(epoch FROM (CAST(s1."createdAt" AS timestamptz) AT TIME ZONE 'UTC')) / 3600) AS
            int8) - CAST(floor(extract(epoch FROM (CAST(s1."due" AS timestamptz) AT TIME ZONE 'UTC')) / 3600) AS
            int8)) AS c1, CAST(extract(year FROM zumod_shown(s1."due") AT TIME ZONE 'UTC') AS int8) AS c2
            FROM "todo" AS s1
        B none

        SELECT AVG(count), MIN(title), MAX(due) FROM todo
        S SELECT (zumod_whole(sum(s1."count")) / count(s1."count")) AS c1, min(s1."title" COLLATE zumod_order) AS c2,
            max(s1."due") AS c3 FROM "todo" AS s1
        P SELECT (CAST(sum(s1."count") AS int8) / count(s1."count")) AS c1, (array_agg(s1."title" ORDER BY
            (zumod_sorted(s1."title")) COLLATE "C") FILTER (WHERE s1."title" IS NOT NULL))[1] AS c2, max(s1."due")
            AS c3 FROM "todo" AS s1
        B none

        INSERT INTO todo (id, title, price, done) VALUES ('a', @t, 1, 'true')
        S INSERT INTO "todo" ("id", "title", "price", "done") VALUES (?1, ?2, ?3, ?4)
        P INSERT INTO "todo" ("id", "title", "price", "done") VALUES ($1::text, $2::text, $3::float8, $4::bool)
        B 'a', 'Milk', 1.0, true

        INSERT INTO people (name) SELECT title FROM todo WHERE done = 1
        S INSERT INTO "people" ("name") SELECT s2.c1 FROM (SELECT s1."title" AS c1 FROM "todo" AS s1 WHERE
            (s1."done" = ?1)) AS s2
        P INSERT INTO "people" ("name") SELECT s2.c1 FROM (SELECT s1."title" AS c1 FROM "todo" AS s1 WHERE
            (s1."done" = $1::bool)) AS s2
        B true

        UPDATE todo SET price = price + 1, title = NULL, note = 5 WHERE id = 'a'
        S UPDATE "todo" AS s1 SET "price" = (s1."price" + ?1), "title" = NULL, "note" = ?2 WHERE (s1."id" = ?3)
        P UPDATE "todo" AS s1 SET "price" = zumod_add(s1."price", $1::float8), "title" = CAST(NULL AS text), "note"
            = $2::text WHERE (s1."id" = ($3::text) COLLATE "C")
        B 1.0, '5', 'a'

        UPDATE t SET title = p.name FROM todo t JOIN people p ON p.id = t.title
        S UPDATE "todo" AS s3 SET "title" = s4.c1 FROM (SELECT s1."id" AS c0, s2."name" AS c1 FROM "todo" AS s1
            INNER JOIN "people" AS s2 ON (s2."id" = s1."title")) AS s4 WHERE s3."id" = s4.c0
        P UPDATE "todo" AS s3 SET "title" = s4.c1 FROM (SELECT s1."id" AS c0, s2."name" AS c1 FROM "todo" AS s1
            INNER JOIN "people" AS s2 ON (s2."id" = (s1."title") COLLATE "C")) AS s4 WHERE s3."id" = s4.c0
        B none

        DELETE FROM todo WHERE done = 1
        S UPDATE "todo" AS s1 SET "deleted" = ?1 WHERE s1."deleted" = ?2 AND (s1."done" = ?1)
        P UPDATE "todo" AS s1 SET "deleted" = $1::bool WHERE s1."deleted" = $2::bool AND (s1."done" = $1::bool)
        B true, false

        DELETE FROM people WHERE age < 3
        S DELETE FROM "people" AS s1 WHERE (s1."age" < ?1)
        P DELETE FROM "people" AS s1 WHERE (s1."age" < $1::float8)
        B 3.0

        DELETE p FROM people p JOIN todo t ON t.title = p.name
        S DELETE FROM "people" AS s3 WHERE s3."id" IN (SELECT s1."id" FROM "people" AS s1 INNER JOIN "todo" AS s2 ON
            (s2."title" = s1."name" COLLATE zumod_nocase))
        P DELETE FROM "people" AS s3 WHERE s3."id" IN (SELECT s1."id" FROM "people" AS s1 INNER JOIN "todo" AS s2 ON
            (zumod_fold(s2."title") = (zumod_fold(s1."name")) COLLATE "C"))
        B none

        UPDATE todo SET done = 1 OUTPUT DELETED.done, INSERTED.version WHERE id = 'a'; SELECT @@ROWCOUNT
        S SELECT s1."id", s1."done" FROM "todo" AS s1 WHERE (s1."id" = ?1)
        S UPDATE "todo" AS s1 SET "done" = ?1 WHERE (s1."id" = ?2)
        S SELECT ?1 AS c1
        P SELECT s1."id", s1."done" FROM "todo" AS s1 WHERE (s1."id" = ($1::text) COLLATE "C")
        P UPDATE "todo" AS s1 SET "done" = $1::bool WHERE (s1."id" = ($2::text) COLLATE "C")
        P SELECT $1::int8 AS c1
        B 'a'
        B true, 'a'
        B 0
        """#

    struct Entry: CustomStringConvertible {
        var script = ""
        var sqlite: [String] = []
        var postgres: [String] = []
        var bindings: [String] = []
        var description: String { script }
    }

    static let entries: [Entry] = table.split(separator: "\n\n").map { text in
        var entry = Entry()
        var kind = Character(" ")
        for line in text.split(separator: "\n") {
            if line.hasPrefix("    ") {
                let rest = " " + line.drop { $0 == " " }
                switch kind {
                case "S": entry.sqlite[entry.sqlite.count - 1] += rest
                case "P": entry.postgres[entry.postgres.count - 1] += rest
                default: entry.bindings[entry.bindings.count - 1] += rest
                }
                continue
            }
            let isScript = !["S ", "P ", "B "].contains(line.prefix(2))
            kind = isScript ? " " : line.first ?? " "
            switch kind {
            case "S": entry.sqlite.append(String(line.dropFirst(2)))
            case "P": entry.postgres.append(String(line.dropFirst(2)))
            case "B": entry.bindings.append(String(line.dropFirst(2)))
            default: entry.script += (entry.script.isEmpty ? "" : " ") + line
            }
        }
        return entry
    }

    @Test(arguments: entries)
    func `becomes`(_ entry: Entry) throws {
        let named: [String: Value] = ["t": "Milk"]
        let sqlite = try TransactFixture.translated(entry.script, SQLiteDialect(), named: named)
        let postgres = try TransactFixture.translated(entry.script, PostgresDialect(), named: named)
        #expect(sqlite.map(\.text) == entry.sqlite)
        #expect(postgres.map(\.text) == entry.postgres)
        #expect(
            sqlite.map { $0.bindings.isEmpty ? "none" : $0.bindings.map(Self.words).joined(separator: ", ") }
                == entry.bindings)
    }

    private static func words(_ value: Value) -> String {
        switch value {
        case .null: "null"
        case .boolean(let flag): "\(flag)"
        case .integer(let whole): "\(whole)"
        case .number(let number): "\(number)"
        case .decimal(let decimal): "\(decimal.text)m"
        case .text(let text): "'\(text)'"
        case .date(let instant): instant.wireText
        }
    }

    @Test func `a row without an id gets a random one`() throws {
        let made = try TransactFixture.translated("INSERT INTO people (name) VALUES ('a'), ('b')", SQLiteDialect())
        #expect(made.map(\.text) == [#"INSERT INTO "people" ("id", "name") VALUES (?1, ?2), (?3, ?4)"#])
        let ids = [made[0].bindings[0], made[0].bindings[2]].compactMap(\.textValue)
        #expect(Set(ids).count == 2 && ids.allSatisfy { $0.utf8.count == 36 })
    }

    @Test(arguments: [
        "'; DROP TABLE todo; --", "\"", "]", "?1", "$1", "\u{0}", "é\u{301}", "@t", "\\", "/*", "x' OR '1'='1",
    ])
    func `no text of a parameter or a constant gets into a statement`(text: String) throws {
        let mark = "zzMARKzz" + text
        let literal = mark.replacing("'", with: "''")
        let script = """
            SELECT title AS [x\(mark.replacing("]", with: "]]"))], '\(literal)', @p + ? FROM todo
            WHERE title = @p OR note LIKE @p OR title IN (?, '\(literal)') OR CHARINDEX(@p, title) > 0
            """
        let bare = script.replacing("?1", with: "1").replacing("$1", with: "1")
        let isText = text != "?1"
        for dialect in [SQLiteDialect(), PostgresDialect()] as [any TransactDialect] {
            let made = try TransactFixture.translated(
                isText ? script : bare, dialect, positional: [.text(mark), .text(mark)], named: ["P": .text(mark)])
            #expect(made.count == 1)
            #expect(made.allSatisfy { !$0.text.lowercased().contains("mark") && !$0.text.contains("DROP") })
        }
    }
}
