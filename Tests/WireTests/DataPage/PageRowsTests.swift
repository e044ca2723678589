import DataPage
import JSONText
import Testing
import WireTesting

@Suite struct `Rows on the data page` {
    @Test(arguments: TestDatabase.all)
    func `are those of everybody, and written with their version`(on database: TestDatabase) async throws {
        try await TestServer.with(on: database, lines: [UserTokens.line]) { server in
            let visit = try PageVisit.signedIn(server.port)
            for user in ["ann", "bob"] {
                let field = try UserTokens.field(user)
                let row = try visit.client.exchange(
                    "POST", "/tables/mine", #"{"id":"\#(user)","text":"of \#(user)"}"#,
                    [field, "Content-Type: application/json"])
                #expect(row.code == 201)
            }
            #expect(try visit.ask("GET", "api/rows/mine").list.count == 2)
            let row = try visit.ask("GET", "api/rows/mine/ann").row
            let version = try #require(row["version"]?.text)
            let match = ["If-Match: \"\(version)\""]
            let changed = try visit.ask("PATCH", "api/rows/mine/ann", #"{"text":"changed"}"#, match)
            #expect(changed.code == 200)
            let late = try visit.ask("PATCH", "api/rows/mine/ann", #"{"text":"late"}"#, match)
            #expect(late.code == 412)
            #expect(try late.row["text"]?.text == "changed")
            #expect(try visit.ask("GET", "api/rows/mine/ann").row["owner"]?.text == "ann")
        }
    }

    @Test(arguments: TestDatabase.all)
    func `come in pages of a hundred, each of which says where the next is`(
        on database: TestDatabase
    ) async throws {
        try await TestServer.with(on: database, lines: [UserTokens.line]) { server in
            let visit = try PageVisit.signedIn(server.port)
            for number in 0..<230 {
                let body = #"{"id":"\#(number)","text":"row \#(number % 7)"}"#
                #expect(try visit.ask("POST", "api/rows/todo", body).code == 201)
            }
            var seen: [String] = []
            var query: String? = "$orderby=text%20desc"
            var sizes: [Int] = []
            while let next = query {
                let page = try visit.ask("GET", "api/rows/todo?\(next)")
                let ids = try page.list.map { try #require($0["id"]?.text) }
                sizes.append(ids.count)
                seen += ids
                query = page["Link"].flatMap { link in
                    link.split(separator: "?", maxSplits: 1).last?.split(separator: ";").first.map(String.init)
                }
            }
            #expect(sizes == [100, 100, 30])
            #expect(Set(seen).count == 230)
        }
    }

    @Test(arguments: TestDatabase.all)
    func `are refused at the byte where a filter is wrong`(on database: TestDatabase) async throws {
        try await TestServer.with(on: database, lines: [UserTokens.line]) { server in
            let visit = try PageVisit.signedIn(server.port)
            let table: [(filter: String, offset: String)] = [
                ("text eqq 'a'", "5"), ("nothere eq 1", "0"), ("text eq 'ä' andd complete", "13"), ("text eq", "7"),
            ]
            for (filter, offset) in table {
                for path in ["api/rows/todo?$filter=\(filter)", "api/tables/todo/values?column=text&filter=\(filter)"] {
                    let answer = try visit.ask("GET", path)
                    #expect(answer.code == 400, "\(path)")
                    #expect(try answer.row["offset"]?.text == offset, "\(path): \(answer.text)")
                }
                #expect(try visit.ask("GET", "tables/todo.csv?filter=\(filter)").code == 400)
            }
            // Clients of the table API see no column that is yet to be made as a mistake, as ever.
            #expect(try visit.client.exchange("GET", "/tables/todo?$filter=nothere eq 1").code == 200)
        }
    }

    @Test(arguments: TestDatabase.all)
    func `are a file of all that a view shows`(on database: TestDatabase) async throws {
        try await TestServer.with(on: database, lines: [UserTokens.line]) { server in
            let visit = try PageVisit.signedIn(server.port)
            #expect(try visit.ask("POST", "api/tables/todo/columns", #"{"name":"big","kind":"integer"}"#).code == 201)
            #expect(try visit.ask("POST", "api/tables/todo/columns", #"{"name":"sum","kind":"decimal"}"#).code == 201)
            let rows = [
                #"{"id":"a","text":"x, \"y\"\nz","big":9007199254740993,"sum":1.10}"#,
                #"{"id":"b","text":"","complete":true}"#, #"{"id":"c","text":"gone"}"#,
            ]
            for row in rows { #expect(try visit.ask("POST", "api/rows/todo", row).code == 201) }
            let version = try #require(try visit.ask("GET", "api/rows/todo/c").row["version"]?.text)
            #expect(try visit.ask("DELETE", "api/rows/todo/c", "", ["If-Match: \"\(version)\""]).code < 300)
            let csv = try visit.ask("GET", "tables/todo.csv?order=id")
            #expect(csv["Content-Type"] == "text/csv; charset=utf-8; header=present")
            #expect(csv["Content-Disposition"] == "attachment; filename=\"todo.csv\"")
            let lines = csv.text.split(separator: "\r\n").map { line in
                line.split(separator: ",", omittingEmptySubsequences: false).enumerated()
                    .filter { $0.offset == 0 || $0.offset > 4 }.map { $0.element }.joined(separator: ",")
            }
            #expect(
                lines == [
                    "id,text,complete,big,sum", "a,\"x, \"\"y\"\"\nz\",,9007199254740993,1.10", "b,\"\",true,,",
                ])
            let json = try visit.ask("GET", "tables/todo.json?order=id%20desc&deleted=1")
            #expect(try json.list.map { $0["id"]?.text } == ["c", "b", "a"])
            #expect(json.text.contains("\"big\":9007199254740993,\"sum\":1.10"))
            #expect(try visit.ask("GET", "tables/todo.json?filter=id%20eq%20'b'").list.count == 1)
            #expect(try visit.ask("GET", "tables/nothere.json").code == 404)
            #expect(try visit.client.exchange("GET", "/_/tables/todo.csv").code == 401)
        }
    }

    /// What a client wrote must not be calculated on the machine of the operator who opens the file.
    @Test(arguments: TestDatabase.all)
    func `are in a file of comma separated values as text, whatever formula they look like`(
        on database: TestDatabase
    ) async throws {
        let texts = [
            "=1+1", "=HYPERLINK(\"http://evil.example\",\"x\")", "+1", "-1+1", "@SUM(A1)", "\t=1", "\r=1", "＝1", "'=1",
            "'", "a=1",
            "x;=1",
        ]
        try await TestServer.with(on: database, lines: [UserTokens.line]) { server in
            let visit = try PageVisit.signedIn(server.port)
            for (number, text) in texts.enumerated() {
                let row = JSONValue.object([
                    JSONMember("id", .string("=\(number + 10)")), JSONMember("text", .string(text)),
                ])
                var json = JSONWriter()
                json.value(row)
                let body = String(decoding: json.bytes, as: UTF8.self)
                #expect(try visit.ask("POST", "api/rows/todo", body).code == 201, "\(text)")
            }
            let csv = try visit.ask("GET", "tables/todo.csv?order=id").text
            let signs = Set("=+-@＝\t\r")
            // Between commas, behind quotes and behind what other programs take for the end of a field.
            for field in csv.split(whereSeparator: { ",\n\r\n".contains($0) }) {
                let bare = field.drop { $0 == "\"" }
                #expect(!(bare.first.map(signs.contains) ?? false), "\(field)")
            }
            for shown in [
                ",'=1+1,", ",'+1,", ",'-1+1,", ",'@SUM(A1),", ",\"'\t=1\",", ",'＝1,", ",''=1,", ",',", ",a=1,",
                ",\"x;=1\",",
            ] {
                #expect(csv.contains(shown), "\(shown) in \(csv)")
            }
            #expect(csv.contains("'=10,"))
            let json = try visit.ask("GET", "tables/todo.json?order=id").list
            #expect(json.map { $0["text"]?.text } == texts)
        }
    }

    @Test(arguments: TestDatabase.all)
    func `are a whole file also where there are many`(on database: TestDatabase) async throws {
        try await TestServer.with(on: database, lines: [UserTokens.line]) { server in
            let visit = try PageVisit.signedIn(server.port)
            for number in 0..<2_050 {
                try visit.client.send(
                    WireClient.request(
                        "POST", "/tables/todo", #"{"id":"\#(number)"}"#,
                        ["Content-Type: application/json", "ZUMO-API-VERSION: 2.0.0"]))
                if number % 50 == 49 { for _ in 0..<50 { #expect(try visit.client.response().code == 201) } }
            }
            let json = try visit.ask("GET", "tables/todo.json")
            #expect(Set(try json.list.map { $0["id"]?.text }).count == 2_050)
            #expect(try visit.ask("GET", "tables/todo.csv").text.split(separator: "\r\n").count == 2_051)
        }
    }

    @Test(arguments: TestDatabase.all)
    func `have the values of a column counted`(on database: TestDatabase) async throws {
        try await TestServer.with(on: database, lines: [UserTokens.line]) { server in
            let visit = try PageVisit.signedIn(server.port)
            for (number, text) in ["milk", "milk", "bread", "milk"].enumerated() {
                #expect(try visit.ask("POST", "api/rows/todo", #"{"id":"\#(number)","text":"\#(text)"}"#).code == 201)
            }
            let all = try visit.ask("GET", "api/tables/todo/values?column=text")
            #expect(all.text == #"{"values":[{"value":"milk","count":3},{"value":"bread","count":1}],"isWhole":true}"#)
            let some = try visit.ask("GET", "api/tables/todo/values?column=text&filter=id ne '0'")
            #expect(some.text == #"{"values":[{"value":"milk","count":2},{"value":"bread","count":1}],"isWhole":true}"#)
            #expect(try visit.ask("GET", "api/tables/todo/values?column=nothere").code == 400)
            #expect(try visit.ask("GET", "api/tables/nothere/values?column=text").code == 404)
        }
    }
}
