import Foundation
import Testing
import WireTesting

/// The git folder of a Mobile Service, served as it is.
@Suite("Folders of Mobile Services", .ownThread)
struct OldServiceTests {
    private static let files = [
        "service/extensions/startup.js": """
        exports.startup = function (context, done) {
            context.mssql.query('DELETE FROM place', {
                success: function () {
                    context.tables.getTable('place').insert({ id: 'first', name: 'harbour' }, { success: done });
                }
            });
        };
        """,
        "service/table/place.json": """
        {"routes":{"*":{"read":{"permission":"public"},"insert":{"permission":"public"}}}}
        """,
        "service/table/place.insert.js": """
        function insert(item, user, request) {
            if (!item.name) return request.respond(statusCodes.BAD_REQUEST, 'a place has a name');
            if (item.name === 'none') return request.respond(404);
            tables.getTable('Visit').insert({ place: item.name }, { success: function () { request.execute(); } });
        }
        """,
        "service/table/~$place.json": "left behind by an editor",
        "service/api/visits.json": #"{"routes":{"*":{"*":{"permission":"public"}}}}"#,
        "service/api/visits.js": """
        exports.register = function (api) {
            api.get('of/:name?', function (request, response) {
                var sql = 'UPDATE visit SET seen = 1 WHERE place = ?; SELECT COUNT(*) AS n FROM visit WHERE seen = 1';
                request.service.mssql.query(sql, [request.params.name || 'all'], {
                    success: function (rows, more) { if (!more) response.send(200, rows[0]); }
                });
            });
            api.get('path/*', function (request, response) { request.respond(200, request.params[0]); });
        };
        """,
    ]

    @Test func `are served with what their scripts relied on`() async throws {
        let workplace = try Workplace()
        for (name, text) in Self.files {
            let path = URL(filePath: "\(workplace.path)/project/\(name)")
            try FileManager.default.createDirectory(
                at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: path)
        }
        try FileManager.default.removeItem(atPath: "\(workplace.path)/config/tables/TodoItem.yaml")
        let daemon = try Daemon(workplace, arguments: ["--app", "project"])
        let client = try daemon.client()

        // The startup script has run, and who leaves no mark gets rows as v1 has them.
        let begun = #"[{"id":"first","name":"harbour"}]"#
        func rows() throws -> String { try client.exchange("GET", "/tables/place").text }
        #expect(try await Patience.eventually { try rows() == begun })

        let refused = try client.exchange("POST", "/tables/place", "{}")
        #expect(refused.code == 400 && refused.text == #""a place has a name""#)
        let bare = try client.exchange("POST", "/tables/place", #"{"name":"none"}"#)
        #expect(bare.code == 404 && bare.text.isEmpty)
        #expect(try client.exchange("POST", "/tables/place", #"{"id":"b","name":"mill"}"#).code == 201)

        // A table that only scripts name.
        #expect(try client.exchange("GET", "/tables/visit").code == 401)
        #expect(try client.exchange("POST", "/tables/place", #"{"id":"c","name":"mill","seen":0}"#).code == 201)
        let path = try client.exchange("GET", "/api/visits/path/a/b")
        #expect(path.code == 200 && path.text == "a/b")
        #expect(daemon.stop() == 0)
    }
}
