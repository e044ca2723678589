import Foundation
import Testing
import WireTesting

/// What comes to the middleware of a project, and how often the server looks at it.
@Suite("The chain of a project", .ownThread)
struct ProjectChainTests {
    private static let environment = [
        "ZUMOD_AUTH_SIGNING_KEY": "a-signing-key-of-forty-four-bytes-in-all-told", "ZUMOD_AUTH_MASTER_KEY": "master",
        "ZUMOD_SCRIPTS_TIME_SECONDS": "60",
    ]

    private static let main = """
        const app = require('express')();
        const mobile = require('azure-mobile-apps')({ pageSize: 1 });
        app.use('/tables/guarded', (req, res, next) => (req.query.$filter ? res.status(403).json({ guard: 1 }) : next()));
        app.use('/tables', (req, res, next) => {
          res.set('X-Filter', String((req.query.$filter || '').length));
          next();
        });
        for (const name of ['notes', 'guarded']) mobile.tables.add(name, { columns: { text: 'string' } });
        app.use(mobile);
        app.listen(process.env.PORT);
        """

    private static func daemon() throws -> Daemon {
        let workplace = try Workplace()
        let project = "\(workplace.path)/project"
        try FileManager.default.createDirectory(atPath: project, withIntermediateDirectories: true)
        try Data(main.utf8).write(to: URL(filePath: "\(project)/app.js"))
        return try Daemon(workplace, arguments: ["--app", "project"], environment: environment)
    }

    @Test func `sees the whole query of a page that a short link stands for`() async throws {
        let daemon = try Self.daemon()
        #expect(try await daemon.isReady())
        let client = try daemon.client()
        let version = ["ZUMO-API-VERSION: 2.0.0"]
        for id in ["a", "b"] {
            #expect(try client.exchange("POST", "/tables/notes", #"{"id":"\#(id)","text":"x"}"#, version).code == 201)
        }
        let filter = (1...60).map { "text%20eq%20'a%20text%20of%20some%20length%20\($0)'" } + ["text%20eq%20'x'"]
        let first = try client.exchange(
            "GET", "/tables/notes?$filter=" + filter.joined(separator: "%20or%20"), "", version)
        let link = try #require(first["Link"]?.firstMatch(of: /https?:\/\/[^\/]+(\/[^>;]+)/)?.output.1)
        #expect(link.utf8.count < 2_000)
        let second = try client.exchange("GET", String(link), "", version)
        #expect(second.code == 200)
        #expect(second.text.contains(#""id":"b""#), "\(second.text)")
        #expect(second["X-Filter"].flatMap { Int($0) } ?? 0 > 1_500)
        // Nor is a filter brought past a guard by such a link.
        let past = try client.exchange("GET", String(link.replacing("/notes", with: "/guarded")), "", version)
        #expect(past.code == 403)
        #expect(past.text.contains("guard"), "\(past.text)")
        #expect(daemon.stop() == 0)
    }

    @Test func `counts a wrong master key once`() async throws {
        let daemon = try Self.daemon()
        #expect(try await daemon.isReady())
        let client = try daemon.client()
        let wrong = ["ZUMO-API-VERSION: 2.0.0", "X-ZUMO-MASTER: wrong"]
        #expect(try client.exchange("GET", "/tables/notes", "", wrong).code == 200)
        let page = try client.exchange("GET", "/metrics", "", ["X-ZUMO-MASTER: master"])
        #expect(page.text.contains(#"zumod_access_failures_total{kind="masterKey"} 1"#), "\(page.text)")
        #expect(daemon.stop() == 0)
    }
}
