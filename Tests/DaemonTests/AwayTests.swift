import CSQLite
import PostgresTesting
import Testing
import WireTesting

@Suite("A table that is away for a moment", .ownThread)
struct AwayTests {
    private static let stores = [false] + (SharedDatabase.server == nil ? [] : [true])

    @Test(arguments: stores)
    func `is answered with 503 and no 404, and is there again when it is there again`(isShared: Bool) throws {
        let (workplace, database) = (try Workplace(), isShared ? try SharedDatabase() : nil)
        let arguments = database.map { ["--database", $0.url] } ?? []
        let daemon = try Daemon(workplace, arguments: arguments)
        let client = try daemon.client()
        let run = { (sql: String) in
            if let database { _ = try database.session().run(sql) } else { try workplace.run(sql: sql) }
        }
        let added = try client.exchange("POST", "/tables/TodoItem", #"{"id":"a","text":"milk"}"#)
        #expect(added.code == 201)
        try run(#"ALTER TABLE "TodoItem" RENAME TO "Elsewhere""#)
        for (method, path, body) in [
            ("GET", "/tables/TodoItem/a", ""), ("GET", "/tables/TodoItem", ""), ("DELETE", "/tables/TodoItem/a", ""),
            ("PATCH", "/tables/TodoItem/a", #"{"text":"tea"}"#), ("POST", "/tables/TodoItem", #"{"id":"b"}"#),
            ("POST", "/tables/TodoItem/a", ""),
        ] {
            let answer = try client.exchange(method, path, body)
            #expect(answer.code == 503 && answer["Retry-After"] == "1", "\(method) \(path)")
            #expect(answer.text.contains("table-away") && answer.text.contains("TodoItem"), "\(method) \(path)")
        }
        let ready = try client.exchange("GET", "/readyz")
        #expect(ready.code == 200 && ready.text == #"{"status":"ready","away":["TodoItem"]}"#)
        #expect(try client.exchange("GET", "/openapi.json").code == 200)
        #expect(try client.exchange("GET", "/metrics").code == 200)
        let check = try workplace.run(["check"] + arguments)
        #expect(check.code == 78 && check.errors.contains("table TodoItem: the database has no such table by now"))
        let export = try workplace.run(["export"] + arguments)
        #expect(export.code != 0 && export.errors.contains("the table TodoItem is away"))
        try run(#"ALTER TABLE "Elsewhere" RENAME TO "TodoItem""#)
        let back = try client.exchange("GET", "/tables/TodoItem/a")
        #expect(back.code == 200 && back.text == added.text && back["ETag"] == added["ETag"])
        #expect(try client.exchange("GET", "/readyz").text == #"{"status":"ready"}"#)
        #expect(try client.exchange("DELETE", "/tables/TodoItem/a").code == 200)
        #expect(daemon.stop() == 0)
    }
}

extension Workplace {
    /// Runs SQL on the server's file, as the sqlite3 shell would.
    fileprivate func run(sql: String) throws {
        var database: OpaquePointer?
        defer { unsafe sqlite3_close_v2(database) }
        var code = unsafe sqlite3_open_v2("\(path)/data/zumod.sqlite3", &database, SQLITE_OPEN_READWRITE, nil)
        if code == SQLITE_OK { code = unsafe sqlite3_exec(database, sql, nil, nil, nil) }
        guard code == SQLITE_OK else { throw DatabaseFile.Failure(code: code) }
    }
}
