import OData
import TableOperations
import Tables
import Testing
import Webhooks

@testable import ServerConfiguration

@Suite("Behaviours in table files")
struct TableBehaviourFileTests {
    private func configuration(_ text: String, settings: String = "") throws -> Configuration {
        try ConfigurationDirectory(["tables/t.yaml": text, "zumod.yaml": settings]).read()
    }

    private func behaviour(_ text: String) throws -> TableBehaviour {
        try #require(try configuration(text).behaviours.values.first)
    }

    private func name(_ text: String) throws -> Identifier {
        try #require(Identifier(text))
    }

    @Test func `a table with rows per user gains their column`() throws {
        let configuration = try configuration("perUser: true\ncolumns: { text: string }")
        #expect(configuration.behaviours.values.first?.ownerColumn == (try name("userId")))
        #expect(
            try configuration.tables.first?.columns
                == [Column(name("text"), .string), Column(name("userId"), .string)])
        let own = try self.configuration("perUser: true\nuserIdColumn: Owner\ncolumns: { owner: string }")
        #expect(own.tables.first?.columns.map(\.name.text) == ["owner"])
        #expect(own.behaviours.values.first?.ownerColumn == (try name("owner")))
    }

    @Test func `a column may need a value, in its own words or the default's`() throws {
        let behaviour = try behaviour(
            """
            columns:
              title: { type: string, required: Give it a title. }
              rank: { type: number, required: true }
              note: { type: string, required: false }
            required: { later: Not without this. }
            """)
        #expect(
            behaviour.required == [
                RequiredColumn(try name("title"), message: "Give it a title."),
                RequiredColumn(try name("rank"), message: "The column 'rank' needs a value."),
                RequiredColumn(try name("later"), message: "Not without this."),
            ])
    }

    @Test(arguments: [
        ("{ days: 30 }", 0, 2_592_000_000), ("{ months: 2, years: 1, milliseconds: 5 }", 14, 5),
        ("{ weeks: 1, hours: 1, minutes: 1, seconds: 1 }", 0, 608_461_000),
    ])
    func `a lifetime is the sum of its units`(text: String, months: Int, milliseconds: Int64) throws {
        let lifetime = try behaviour("recordsExpire: \(text)").lifetime
        #expect(lifetime == RowLifetime(months: months, milliseconds: milliseconds))
    }

    @Test func `rules on rows are read once, for the rows to see and for those to write`() throws {
        let rule = try #require(
            try behaviour(
                """
                columns: { ownerId: string, shared: boolean }
                visible: "ownerId eq @userId or shared eq true"
                writable: ownerId eq @userId
                """
            ).rule)
        #expect(rule.visible?.text == "ownerId eq @userId or shared eq true")
        #expect(rule.writable(for: nil) == .binary(.equal, .column("ownerId", at: 0), .literal(.null, at: 11), at: 8))
        #expect(try behaviour("columns: { a: string }\nvisible: ~\nwritable:").rule == nil)
        #expect(
            try behaviour("perUser: true\nvisible: userId ne 'x' and createdAt gt 2026-01-01T00:00:00Z").rule != nil)
    }

    @Test(arguments: [
        ("ownerId eq", "at byte 10: Expected a column, a value or a function, and the text ends."),
        ("ownerId eq @user", "at byte 11: There is no `@user`; the id of the token's user is `@userId`."),
        ("1 eq 1 or onwerId eq 'x'", "at byte 10: The table declares no column `onwerId`; did you mean ownerId?"),
        ("ownerId eq 5", "at byte 8: `eq` can't compare `ownerId` (text) with a number."),
        ("rank eq @userId", "at byte 5: `eq` can't compare `rank` (a number) with text."),
        ("rank add 1", "at byte 5: A filter is true or false, but this one is a number."),
        ("deleted eq false", "at byte 0: `deleted` changes with the writes that the rule is to decide about."),
        ("id eq 'x'", "at byte 0: `id` is not known before the row is written: the table numbers its rows."),
        ("nofunction(ownerId)", "at byte 0: There is no function 'nofunction'."),
    ])
    func `a rule that can't be is a fault with its place`(text: String, sentence: String) throws {
        for (key, schema) in [("visible", "true"), ("writable", "false")] {
            let file = """
                columns: { ownerId: string, rank: number }
                autoIncrement: true
                dynamicSchema: \(schema)
                \(key): "\(text)"
                """
            let faults = try ConfigurationDirectory(["tables/t.yaml": file]).faults()
            #expect(faults == ["tables/t.yaml:4: \(key): \(sentence)"])
        }
    }

    @Test func `a rule that is too deep with the table's other conditions is a fault too`() throws {
        // As deep as it may be by itself.
        var rule = "text eq 'a'"
        for level in 0..<31 { rule = "text eq 'b' \(level.isMultiple(of: 2) ? "or" : "and") (\(rule))" }
        let file = "columns: { text: string }\nvisible: \"\(rule)\""
        _ = try configuration(file)
        let faults = try ConfigurationDirectory(["tables/t.yaml": file + "\nrecordsExpire: { days: 1 }"]).faults()
        #expect(
            faults == [
                "tables/t.yaml:2: visible: Together with the table's other conditions: 81 levels of nesting in the "
                    + "database's words are over the limit of 80."
            ])
    }

    @Test func `conflicts and echoes are what the file says`() throws {
        #expect(try behaviour("conflictPolicy: ClientWins").conflictPolicy == .clientWins)
        #expect(try behaviour("conflictPolicy: serverWins").conflictPolicy == .serverWins)
        #expect(try behaviour("conflictPolicyParameter: true").takesConflictPolicy)
        #expect(try behaviour("parameterEcho: true").echoesParameters)
        #expect(try behaviour("identities: true").showsIdentities)
        #expect(try behaviour("perUser: false\nrecordsExpire:\nwebhook: ~\nuserIdColumn: owner") == TableBehaviour())
    }

    @Test func `a webhook tells every write unless it names some, and its secret beats the settings'`() throws {
        let settings = "webhook: { secret: shared }"
        let plain = try configuration("webhook: { url: \"http://h:1/x\" }", settings: settings)
        let address = try HTTPAddress("http://h:1/x")
        #expect(plain.webhooks.values.first == Webhook(address, secret: WebhookSecret("shared")))
        let own = try configuration(
            "webhook: { url: \"http://h:1/x\", events: [insert, Delete], secret: own }", settings: settings)
        #expect(
            own.webhooks.values.first
                == Webhook(address, operations: [.insert, .delete], secret: WebhookSecret("own")))
        #expect(try configuration("webhook: { url: \"http://h:1/x\" }").webhooks.values.first?.secret == nil)
    }

    @Test(arguments: [
        ("perUser: yes please", "1: perUser: has to be true or false, not `yes please`"),
        ("perUser: true\nuserIdColumn: id", "2: userIdColumn: `id` can't be the column of a row's user"),
        ("perUser: true\nuserIdColumn: a b", "2: userIdColumn: `a b` can't be the column of a row's user"),
        (
            "perUser: true\ncolumns: { userid: number }",
            "1: perUser: the column `userid` says whose a row is and has to be a string, not a number"
        ),
        (
            "conflictPolicy: nobody",
            "1: conflictPolicy: has to be one of client, clientWins, serverWins, not `nobody`"
        ),
        ("conflictPolicyParameter: 1", "1: conflictPolicyParameter: has to be true or false, not `1`"),
        ("parameterEcho: 1", "1: parameterEcho: has to be true or false, not `1`"),
        ("recordsExpire: 30", "1: recordsExpire: has to be a mapping of names to values, not a text"),
        ("recordsExpire: { day: 30 }", "1: recordsExpire.day: unknown key; did you mean recordsExpire.days?"),
        (
            "recordsExpire: { days: -1 }",
            "1: recordsExpire.days: has to be a whole number from 0 to 1000000000, not `-1`"
        ),
        ("recordsExpire: { days: 0 }", "1: recordsExpire: needs a time, such as { days: 30 }"),
        ("required: [a]", "1: required: has to be a mapping of names to values, not a list"),
        ("required: { id: x }", "1: required.id: has to be one of the table's own columns"),
        (
            "dynamicSchema: false\ncolumns: { title: string }\nrequired: { titel: x }",
            "3: required.titel: the table has no column `titel`; did you mean title?"
        ),
        ("columns: { a: { required: true } }", "1: columns.a: needs a type"),
        ("columns: { a: { typ: string } }", "1: columns.a.typ: unknown key; did you mean columns.a.type?"),
        ("webhook: { events: [insert] }", "1: webhook: needs a url"),
        (
            "webhook: { url: \"ftp://a\" }",
            "1: webhook.url: has to be a URL such as http://127.0.0.1:9000/notices, without a user or a password"
        ),
        (
            "webhook: { url: \"https://a\" }",
            "1: webhook.url: has to begin with http://: zumod speaks no TLS of its own; name a proxy on this machine that does"
        ),
        (
            "webhook: { url: \"http://a\", events: [read] }",
            "1: webhook.events[0]: has to be one of insert, update, delete, undelete, not `read`"
        ),
        (
            "webhook: { url: \"http://a\", events: [] }",
            "1: webhook.events: needs one of insert, update, delete, undelete"
        ),
        ("webhook: { uri: \"http://a\" }", "1: webhook.uri: unknown key; did you mean webhook.url?"),
        ("webhook: { url: \"http://a\", secret: [x] }", "1: webhook.secret: has to be a text"),
    ])
    func `what is wrong is told with file, line and key`(text: String, fault: String) throws {
        let faults = try ConfigurationDirectory(["tables/t.yaml": text]).faults()
        #expect(faults.first == "tables/t.yaml:\(fault)")
    }

    @Test func `behaviours are told in words, and no secret is`() throws {
        let configuration = try configuration(
            """
            perUser: true
            visible: userId eq @userId
            writable: "true"
            conflictPolicy: serverWins
            conflictPolicyParameter: true
            recordsExpire: { months: 1, hours: 36 }
            required: { a: x, b: y }
            parameterEcho: true
            identities: true
            webhook: { url: "http://h:1/path?key=word", events: [insert, delete], secret: hidden }
            """)
        let table = try name("t")
        let behaviour = try #require(configuration.behaviours[table])
        #expect(
            BehaviourSummary.traits(behaviour, configuration.webhooks[table]) == [
                "rows per user in userId", "visible where userId eq @userId", "writable where true",
                "rows expire after 1 month and 36 hours", "the server wins conflicts",
                "conflictPolicy by parameter", "required a and b", "keeps no rows and echoes parameters",
                "shows the caller's identities",
                "webhook at h:1 on insert and delete, signed",
            ])
        #expect(BehaviourSummary.traits(TableBehaviour(), nil).isEmpty)
    }
}
