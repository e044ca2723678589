import JSONText
import Testing
import WireTesting

/// What devices and other callers rely on beside scripts.
@Suite struct `Scripts beside the sync of devices` {
    private static let labelled = """
        const table = require('azure-mobile-apps').table();
        table.columns = { text: 'string', n: 'number' };
        table.softDelete = true;
        table.read(async (context) => {
          const rows = await context.execute();
          rows.forEach((row) => { row.label = 'x'; });
          return rows;
        });
        module.exports = table;
        """
    private static let owned = """
        const table = require('azure-mobile-apps').table();
        table.columns = { text: 'string', who: 'string' };
        const own = (context) => { context.query.where({ who: 'me' }); return context.execute(); };
        table.read(own); table.update(own); table.delete(own);
        module.exports = table;
        """
    private static let noting = """
        const table = require('azure-mobile-apps').table();
        table.columns = { text: 'string' };
        table.insert((context) => { console.log(context.item.text + '\\u0000'); return context.execute(); });
        module.exports = table;
        """

    /// Lists, and the first pull of Microsoft's Datasync libraries.
    @Test(arguments: TestDatabase.all, [("2.0.0", ""), ("3.0.0", ""), ("3.0.0", "?$orderby=updatedAt&$count=true")])
    func `a walk over rows that a script changes has each row once`(
        _ database: TestDatabase, _ walk: (version: String, query: String)
    ) async throws {
        try await TestServer.with(on: database, files: ["tables/labelled.js": Self.labelled]) { server in
            let client = try WireClient(port: server.port)
            for number in 0..<130 {
                #expect(
                    try client.exchange("POST", "/tables/labelled", "{\"id\":\"r\(number)\",\"n\":\(number)}").code
                        == 201)
            }
            let options = walk.query.isEmpty ? [] : ["X-ZUMO-Options: nextLink=path"]
            var path = "/tables/labelled" + walk.query
            var ids: [String] = []
            for _ in 0..<10 {
                let page = try client.exchange("GET", path, "", ["ZUMO-API-VERSION: \(walk.version)"] + options)
                let value = try JSONReader.parse(page.body)
                for row in value["items"]?.elements ?? value.elements ?? [] {
                    #expect(row["label"] == "x")
                    ids.append(row["id"]?.textValue ?? "")
                }
                let link = value["nextLink"]?.textValue ?? page["Link"]
                guard let link else { break }
                let query = (link.split(separator: "?").last ?? "").prefix { $0 != ">" && $0 != ";" }
                path = "/tables/labelled?" + query
            }
            #expect(ids.count == 130 && Set(ids).count == 130, "\(ids.count)")
        }
    }

    @Test(arguments: TestDatabase.all)
    func `a row that a script hides is missing, whatever conditions a write has`(_ database: TestDatabase) async throws
    {
        try await TestServer.with(on: database, files: ["tables/owned.js": Self.owned]) { server in
            let client = try WireClient(port: server.port)
            let version = "ZUMO-API-VERSION: 3.0.0"
            for (id, who) in [("b1", "bob"), ("m1", "me")] {
                let row = "{\"id\":\"\(id)\",\"who\":\"\(who)\",\"text\":\"secret\"}"
                #expect(try client.exchange("POST", "/tables/owned", row, [version]).code == 201)
            }
            let conditions = [
                "X-None: 1", "If-Match: \"AAAA\"", "If-None-Match: *",
                "If-Unmodified-Since: Mon, 01 Jan 2001 00:00:00 GMT",
                "If-Modified-Since: Sun, 01 Jan 2040 00:00:00 GMT",
            ]
            for condition in conditions {
                for (method, body) in [
                    ("PATCH", "{\"text\":\"x\"}"), ("PUT", "{\"id\":\"b1\",\"text\":\"x\"}"), ("DELETE", ""),
                ] {
                    let answer = try client.exchange(method, "/tables/owned/b1", body, [version, condition])
                    #expect(
                        answer.code == 404 && !answer.text.contains("secret"), "\(method) \(condition): \(answer.text)")
                }
            }
            let stale = try client.exchange("PATCH", "/tables/owned/m1", "{\"text\":\"x\"}", [version, conditions[3]])
            #expect(stale.code == 412 && stale.text.contains("secret"))
            #expect(try client.exchange("PATCH", "/tables/owned/m1", "{\"text\":\"x\"}", [version]).code == 200)
        }
    }

    @Test(arguments: TestDatabase.all)
    func `what no store takes ends no worker`(_ database: TestDatabase) async throws {
        let note = "exports.post = (req, res) => { console.log(req.body.text); res.json({ text: req.body.text }); };"
        let deep = """
            exports.get = async (req, res) => {
              let value = 1;
              for (let i = 0; i < 500; i++) value = { value };
              res.json(await req.azureMobile.tables('noting').insert({ value }).catch((error) => error.message));
            };
            exports.post = (req, res) => { console.log(req.body.text); res.json({ text: req.body.text }); };
            """
        try await TestServer.with(
            on: database, fixture: "scripts",
            files: ["tables/noting.js": Self.noting, "api/deep.js": deep, "api/note.js": note]
        ) { server in
            let client = try WireClient(port: server.port)
            for _ in 0..<3 {
                #expect(try client.exchange("POST", "/api/note", #"{"text":"a\u0000b \\u0000"}"#).code == 200)
                #expect(try client.exchange("GET", "/api/deep").text.contains("nested deeper"))
                #expect(try client.exchange("POST", "/tables/noting", #"{"text":"x"}"#).code == 201)
            }
        }
    }
}
