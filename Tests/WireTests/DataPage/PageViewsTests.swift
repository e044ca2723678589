import DeviceRecording
import Foundation
import JSONText
import Testing
import WireTesting

@testable import ServerApp

@Suite struct `The data page` {
    @Test func `says to browsers what it may do, on every answer of its own`() async throws {
        try await TestServer.with(on: .sqlite, lines: [UserTokens.line]) { server in
            let visit = try PageVisit.signedIn(server.port)
            let paths = [
                "", "tables", "tables/todo", "devices", "requests", "health", "assets/app.js", "assets/nothere.js",
                "api/session", "api/tables", "api/rows/todo", "api/nothere", "tables/todo.csv", "nothere",
            ]
            for path in paths {
                let answer = try visit.ask("GET", path)
                let policy = answer["Content-Security-Policy"] ?? ""
                for word in ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'"] {
                    #expect(policy.contains(word), "\(path)")
                }
                #expect(!policy.contains("unsafe"))
                #expect(answer["X-Content-Type-Options"] == "nosniff", "\(path)")
                #expect(answer["Referrer-Policy"] == "no-referrer", "\(path)")
                #expect(answer["Access-Control-Allow-Origin"] == nil)
                #expect(
                    answer.code == (path.hasSuffix("nothere") || path.hasSuffix("nothere.js") ? 404 : 200), "\(path)")
            }
        }
    }

    @Test func `has all its files in the program, as they are in the sources`() async throws {
        let folder = Fixture.package + "/Sources/level4/DataPage/Assets"
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { !$0.hasSuffix(".json") }
        #expect(names.count > 20)
        try await TestServer.with(on: .sqlite, lines: [UserTokens.line]) { server in
            let visit = try PageVisit(server.port)
            for name in names {
                let served = try visit.ask("GET", name == "index.html" ? "" : "assets/\(name)")
                let file = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)"))
                #expect(served.code == 200 && served.body == Array(file), "\(name): run scripts/list-embedded-files")
            }
        }
    }

    @Test func `is asked again for what the browser has only where it has changed`() async throws {
        try await TestServer.with(on: .sqlite, lines: [UserTokens.line]) { server in
            let visit = try PageVisit(server.port)
            for path in ["", "assets/app.js", "assets/app.css"] {
                let first = try visit.ask("GET", path)
                let tag = try #require(first["ETag"])
                #expect(try visit.ask("GET", path, "", ["If-None-Match: \(tag)"]).code == 304)
                #expect(try visit.ask("GET", path, "", ["If-None-Match: \"other\""]).code == 200)
                #expect(try visit.ask("POST", path).code == 405)
            }
        }
    }

    /// What is configured, what a request says of where it comes from, and whether the page is there.
    @Test(arguments: [
        ("", "", 200), ("", "X-Forwarded-For: 192.0.2.1", 403), ("", "Origin: http://evil.example", 403),
        ("page: { enabled: true }", "X-Forwarded-For: 192.0.2.1", 200), ("page: { enabled: false }", "", 404),
    ])
    func `is for callers on the machine unless it is opened`(line: String, field: String, code: Int) async throws {
        try await TestServer.with(on: .sqlite, lines: [UserTokens.reachableLine, line]) { server in
            let visit = try PageVisit(server.port)
            #expect(try visit.ask("GET", "", "", field.isEmpty ? [] : [field]).code == code)
        }
    }

    @Test func `says how to get in where no key is set, and lets nobody in`() async throws {
        try await TestServer.with(on: .sqlite, lines: []) { server in
            var visit = try PageVisit(server.port)
            let session = try visit.ask("GET", "api/session").row
            #expect(session["hint"]?.text?.contains("ZUMOD_AUTH_MASTER_KEY") == true)
            // Without a signing key there are no tokens either.
            #expect(session["hint"]?.text?.contains("token") == false)
            #expect(session["ways"]?.elements?.map(\.textValue) == ["key"])
            for body in [#"{"key":""}"#, #"{"key":"null"}"#, "{}"] { #expect(try visit.signIn(body).code != 200) }
            #expect(try visit.ask("GET", "api/tables").code == 401)
        }
    }

    @Test(arguments: TestDatabase.all)
    func `shows what tables are, and adds columns and indexes to them`(on database: TestDatabase) async throws {
        try await TestServer.with(on: database, lines: [UserTokens.line, "autoCreateTables: true"]) { server in
            let visit = try PageVisit.signedIn(server.port)
            let names = try visit.ask("GET", "api/tables").row["tables"]?.elements?.compactMap { $0.row["name"]?.text }
            #expect(names?.contains("todo") == true)
            #expect(try visit.ask("POST", "api/rows/fresh", #"{"id":"a","text":"made by a client"}"#).code == 201)
            for table in ["todo", "fresh"] {
                let column = #"{"name":"amount","kind":"decimal"}"#
                let grown = try visit.ask("POST", "api/tables/\(table)/columns", column)
                #expect(grown.code == 201, "\(grown.text)")
                #expect(grown.text.contains(#"{"name":"amount","kind":"decimal","isSystem":false}"#))
                #expect(try visit.ask("POST", "api/tables/\(table)/columns", column).code == 409)
                let index = try visit.ask("POST", "api/tables/\(table)/indexes", #"{"columns":["text","amount"]}"#)
                #expect(index.text.contains(#""indexes":[["text","amount"]]"#), "\(index.text)")
                #expect(try visit.ask("GET", "api/tables/\(table)").text == index.text)
                // What clients write goes into it at once.
                let row = try visit.ask("POST", "api/rows/\(table)", #"{"id":"b","amount":1.10}"#)
                #expect(row.text.contains(#""amount":1.10"#))
            }
            for (body, code) in [
                (#"{"name":"a b","kind":"string"}"#, 400), (#"{"name":"version","kind":"string"}"#, 400),
                (#"{"name":"x","kind":"blob"}"#, 400), ("{}", 400), ("", 400),
            ] {
                #expect(try visit.ask("POST", "api/tables/todo/columns", body).code == code, "\(body)")
            }
            for body in [#"{"columns":["nothere"]}"#, #"{"columns":[]}"#, #"{"columns":["text","TEXT"]}"#] {
                #expect(try visit.ask("POST", "api/tables/todo/indexes", body).code == 400, "\(body)")
            }
        }
    }

    @Test(arguments: TestDatabase.all)
    func `keeps requests while somebody records them, without what opens anything`(
        on database: TestDatabase
    ) async throws {
        try await TestServer.with(on: database, lines: [UserTokens.line]) { server in
            let visit = try PageVisit.signedIn(server.port)
            let secret = try UserTokens.field("ann").dropFirst("X-ZUMO-AUTH: ".count)
            func send() throws {
                _ = try visit.client.exchange(
                    "POST", "/tables/todo?access_token=s3cret&$select=text", #"{"text":"shown \#(secret)"}"#,
                    [
                        "X-ZUMO-AUTH: \(secret)", "X-ZUMO-MASTER: s3cret-master", "Cookie: a=s3cret",
                        "Content-Type: application/json", "ZUMO-API-VERSION: 2.0.0",
                    ])
            }
            try send()
            #expect(try visit.ask("GET", "api/requests").row["requests"]?.elements?.isEmpty == true, "off at first")
            #expect(try visit.ask("PUT", "api/requests", #"{"isRecording":true}"#).code == 200)
            try send()
            _ = try visit.client.exchange(
                "POST", "/api/nothere", #"{"password":"s3cret","deep":[{"apiKey":"s3cret","name":"shown"}]}"#,
                ["Content-Type: application/json"])
            let kept = try visit.ask("GET", "api/requests")
            #expect(kept.text.contains(#"\"name\":\"shown\""#))
            #expect(kept.text.contains("shown ***"))
            #expect(kept.text.contains("$select=text"))
            for text in [kept.text, try visit.ask("GET", "api/requests.har").text] {
                #expect(!text.contains("s3cret"))
                #expect(!text.contains(secret))
                #expect(!text.contains("/_/"), "its own requests are none of them")
            }
            for number in 0..<600 { _ = try visit.client.exchange("GET", "/tables/todo/\(number)") }
            let full = try visit.ask("GET", "api/requests").row
            #expect(full["requests"]?.elements?.count == 500)
            let last = try #require(full["last"]?.text)
            #expect(try visit.ask("GET", "api/requests?after=\(last)").row["requests"]?.elements?.isEmpty == true)
            #expect(try visit.ask("DELETE", "api/requests").code == 204)
            #expect(try visit.ask("GET", "api/requests").row["requests"]?.elements?.isEmpty == true)
        }
    }

    @Test(arguments: TestDatabase.all)
    func `keeps both versions of a conflict, recording or not`(on database: TestDatabase) async throws {
        try await TestServer.with(on: database, lines: [UserTokens.line]) { server in
            let visit = try PageVisit.signedIn(server.port)
            let fields = [
                "Content-Type: application/json", "ZUMO-API-VERSION: 2.0.0", "X-ZUMO-INSTALLATION-ID: phone",
            ]
            _ = try visit.client.exchange("POST", "/tables/todo", #"{"id":"a","text":"theirs"}"#, fields)
            let late = try visit.client.exchange(
                "PATCH", "/tables/todo/a", #"{"text":"mine"}"#, fields + ["If-Match: \"AAAAAAAAAAA=\""])
            #expect(late.code == 412)
            let conflicts = try visit.ask("GET", "api/conflicts").row["conflicts"]?.elements ?? []
            #expect(conflicts.count == 1)
            let conflict = conflicts.first?.row ?? [:]
            #expect(conflict["installation"]?.text == "phone")
            #expect(conflict["sent"]?.row["text"]?.text == "mine")
            #expect(conflict["current"]?.row["text"]?.text == "theirs")
            #expect(conflict["id"]?.text == "a")
        }
    }

    @Test(arguments: TestDatabase.all)
    func `shows how the server is, and devices`(on database: TestDatabase) async throws {
        try await TestServer.with(on: database, lines: [UserTokens.line]) { server in
            let visit = try PageVisit.signedIn(server.port)
            _ = try visit.client.exchange(
                "GET",
                "/tables/todo?$filter=(updatedAt%20ge%20datetimeoffset'2026-01-01T00:00:00Z')&$orderby=updatedAt",
                "", ["ZUMO-API-VERSION: 2.0.0", "X-ZUMO-INSTALLATION-ID: phone"])
            let health = try visit.ask("GET", "api/health").row
            #expect(health["store"]?.text == "ready")
            #expect(health["connections"]?.numberValue == 1)
            #expect((health["requests"]?.row["2xx"]?.numberValue ?? 0) >= 2)
            #expect(health["latency"]?.elements?.count == 17)
            #expect(try visit.ask("GET", "api/log?after=0").row["lines"]?.elements != nil)
            await server.recorder.flush(isLast: true)
            let devices = try visit.ask("GET", "api/devices").row["devices"]?.elements ?? []
            #expect(devices.compactMap { $0.row["installation"]?.text } == ["phone"])
        }
    }
}
