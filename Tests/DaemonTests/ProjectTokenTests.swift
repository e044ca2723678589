import Foundation
import Testing
import WireTesting

/// Users whom a project knows itself: it signs their tokens, and the server takes them.
@Suite("Tokens of projects", .ownThread)
struct ProjectTokenTests {
    private static let main = """
        const app = require('express')();
        const mobile = require('azure-mobile-apps')({ auth: { secret: 'old', issuer: 'me' } });
        const auth = require('azure-mobile-apps/src/auth')(mobile.configuration.auth);
        mobile.tables.add('notes', { columns: { text: 'string' }, authorize: true });
        app.use(mobile);
        app.get('/login/:name', (req, res) => res.send(auth.sign({ sub: req.params.name, role: 'admin' })));
        app.get('/who', (req, res) => res.json({ id: req.azureMobile.user ? req.azureMobile.user.id : null }));
        app.listen(process.env.PORT);
        """

    private static func daemon(key: String?) throws -> Daemon {
        let workplace = try Workplace()
        let project = "\(workplace.path)/project"
        try FileManager.default.createDirectory(atPath: project, withIntermediateDirectories: true)
        try Data(main.utf8).write(to: URL(filePath: "\(project)/app.js"))
        var environment = ["ZUMOD_AUTH_MASTER_KEY": "master", "ZUMOD_SCRIPTS_TIME_SECONDS": "60"]
        environment["ZUMOD_AUTH_SIGNING_KEY"] = key
        return try Daemon(workplace, arguments: ["--app", "project"], environment: environment)
    }

    @Test func `are taken as a user's, and never as an operator's`() async throws {
        let daemon = try Self.daemon(key: "a-signing-key-of-forty-four-bytes-in-all-told")
        #expect(try await daemon.isReady())
        let client = try daemon.client()
        let token = try client.exchange("GET", "/login/joe").text
        let fields = ["ZUMO-API-VERSION: 2.0.0", "X-ZUMO-AUTH: \(token)"]
        #expect(try client.exchange("POST", "/tables/notes", #"{"text":"x"}"#, fields).code == 201)
        #expect(try client.exchange("GET", "/tables/notes", "", ["ZUMO-API-VERSION: 2.0.0"]).code == 401)
        #expect(try client.exchange("GET", "/who", "", fields).text == #"{"id":"joe"}"#)
        // Through a proxy: whoever is on the server's own machine may look.
        let proxy = "Via: 1.1 proxy"
        #expect(try client.exchange("GET", "/metrics", "", ["X-ZUMO-MASTER: master", proxy]).code == 200)
        #expect(try client.exchange("GET", "/metrics", "", fields + [proxy]).code != 200)
        let forged = ["ZUMO-API-VERSION: 2.0.0", "X-ZUMO-AUTH: \(token.dropLast(4))AAAA"]
        #expect(try client.exchange("GET", "/tables/notes", "", forged).code == 401)
        #expect(try client.exchange("GET", "/who", "", forged).code == 401)
        #expect(daemon.stop() == 0)
    }

    @Test func `are nobody's where the server has no key`() async throws {
        let daemon = try Self.daemon(key: nil)
        #expect(try await daemon.isReady())
        let client = try daemon.client()
        let token = try client.exchange("GET", "/login/joe").text
        let fields = ["ZUMO-API-VERSION: 2.0.0", "X-ZUMO-AUTH: \(token)"]
        #expect(try client.exchange("GET", "/tables/notes", "", fields).code == 401)
        #expect(daemon.stop() == 0)
    }
}
