import PostgresTesting
import Testing
import WireTesting

@Suite("Looking at tables and adopting them", .ownThread)
struct TableCommandTests {
    @Test func `list and show tell what check would, and leave nothing behind`() throws {
        let workplace = try Workplace(["tables/Empty.yaml": "access: admin\nmaxTop: 0\nread: { access: anonymous }\n"])
        let list = try workplace.run("table", "list")
        #expect(list.code == 0)
        #expect(
            list.output == """
                Empty: no columns yet; dynamic schema, read anonymous, insert admin, update admin, delete admin, \
                undelete admin
                TodoItem: text string; dynamic schema, soft delete, for anonymous

                """)
        let todo = try workplace.run("table", "show", "todoitem")
        #expect(todo.code == 0)
        #expect(
            todo.output == """
                TodoItem: text ids, dynamic schema, soft delete
                pages of 50 rows; $top may ask for 1000 rows, in v3 for 128000
                column text string
                read for anonymous
                insert for anonymous
                update for anonymous
                delete for anonymous
                undelete for anonymous
                tombstones are kept for ever

                """)
        let empty = try workplace.run("table", "show", "Empty")
        #expect(empty.output.contains("$top may ask for any number of rows\nno columns yet\nread for anonymous\n"))
        #expect(workplace.files == ["config"])
    }

    @Test(arguments: ["nope", "no-name"])
    func `a table that is not there ends with 78`(name: String) throws {
        let outcome = try Workplace().run("table", "show", name)
        #expect(outcome.code == 78 && outcome.output == "")
        #expect(outcome.errors == "error: there is no table \(name)\n")
    }

    @Test func `adopting is for PostgreSQL`() throws {
        let workplace = try Workplace()
        let outcome = try workplace.run("table", "create", "TodoItem", "--adopt", "--yes")
        #expect(outcome.code == 78)
        #expect(
            outcome.errors == "error: only tables of a PostgreSQL database can be adopted; this one is SQLite\n")
        #expect(workplace.files == ["config"])
    }

    @Test func `create without --adopt is wrong usage, which says what makes a table`() throws {
        let outcome = try Workplace().run("table", "create", "TodoItem")
        #expect(outcome.code == 64)
        #expect(outcome.errors.contains("a new table is made by its file in config/tables"))
    }

    @Test func `a database that is away ends with 69`() throws {
        let url = "postgresql://zumod@127.0.0.1:1/postgres"
        for arguments in [["list"], ["show", "TodoItem"], ["create", "TodoItem", "--adopt"]] {
            let outcome = try Workplace().run(["table"] + arguments + ["--database", url])
            #expect(outcome.code == 69, "\(arguments)")
            #expect(outcome.errors.hasPrefix("error: database: "))
        }
    }

    @Test(.enabled(if: SharedDatabase.server != nil, "no server is given: run scripts/test-postgres"))
    func `a table of another program is served after it was adopted, as the plan said`() throws {
        let database = try SharedDatabase()
        let session = try database.session()
        try session.run(
            """
            CREATE TABLE "Bikes" (id text PRIMARY KEY, name varchar(40), price numeric(8,2), tags text[]);
            INSERT INTO "Bikes" VALUES ('a', 'tandem', 1234.50, '{x}'), ('b', 'trike', 2, NULL)
            """)
        let workplace = try Workplace(["tables/bikes.yaml": "softDelete: true\n"])
        #expect(try workplace.run("check", "--database", database.url).code == 78)

        let plan = try workplace.run("table", "create", "bikes", "--adopt", "--database", database.url)
        #expect(plan.code == 0 && plan.errors == "")
        #expect(plan.output.hasPrefix("The table Bikes becomes one of zumod's by this, in one transaction:\n"))
        #expect(plan.output.contains("ALTER TABLE \"Bikes\" ADD COLUMN \"version\" bigint;\n"))
        #expect(plan.output.contains("In no answer, since clients can't write them: tags\n"))
        #expect(plan.output.hasSuffix("Nothing was changed; --yes does it.\n"))
        #expect(try session.run("SELECT to_regclass('zumod_tables')") == [[nil]])

        let done = try workplace.run("table", "create", "bikes", "--adopt", "--yes", "--database", database.url)
        #expect(done.code == 0)
        #expect(done.output.hasSuffix("\nDone.\n"))
        let again = try workplace.run("table", "create", "bikes", "--adopt", "--yes", "--database", database.url)
        #expect(again.code == 78)
        #expect(again.errors == "error: the table Bikes is zumod's already\n")
        let list = try workplace.run("table", "list", "--database", database.url)
        #expect(list.output.contains("Bikes: name string, price decimal; dynamic schema, soft delete, for anonymous\n"))

        let server = try Daemon(workplace, arguments: ["--database", database.url])
        let client = try server.client()
        let rows = try client.exchange("GET", "/tables/bikes?$orderby=id&$select=id,name,price")
        #expect(
            rows.text
                == "[{\"id\":\"a\",\"name\":\"tandem\",\"price\":1234.50},{\"id\":\"b\",\"name\":\"trike\",\"price\":2.00}]"
        )
        let changed = try client.exchange("PATCH", "/tables/bikes/a", "{\"price\":1.25}")
        #expect(changed.code == 200)
        #expect(try session.run("SELECT price, tags FROM \"Bikes\" WHERE id = 'a'") == [["1.25", "{x}"]])
        #expect(server.stop() == 0)
    }

    @Test(.enabled(if: SharedDatabase.server != nil, "no server is given: run scripts/test-postgres"))
    func `a table that can't be adopted stays as it was, and one without a definition is named`() throws {
        let database = try SharedDatabase()
        let session = try database.session()
        try session.run("CREATE TABLE odd (id uuid PRIMARY KEY); CREATE TABLE plain (id text PRIMARY KEY)")
        let workplace = try Workplace()
        let odd = try workplace.run("table", "create", "odd", "--adopt", "--yes", "--database", database.url)
        #expect(odd.code == 78 && odd.output == "")
        #expect(odd.errors.hasPrefix("error: the table odd can't be adopted: "))
        let none = try workplace.run("table", "create", "none", "--adopt", "--yes", "--database", database.url)
        #expect(none.errors == "error: the database has no table none\n")
        let plain = try workplace.run("table", "create", "plain", "--adopt", "--database", database.url)
        #expect(plain.output.contains("To serve it, define it in the configuration: tables/plain.yaml\n"))
        #expect(try session.run("SELECT to_regclass('zumod_tables')") == [[nil]])
    }
}
