import Foundation
import Testing
import WireTesting

/// What a project has that isn't done keeps the server from starting, until an operator says that it is known.
@Suite("What projects have that isn't done", .ownThread)
struct UnsupportedScriptTests {
    private static let setting = "ZUMOD_SCRIPTS_ALLOW_UNSUPPORTED"
    private static let app = """
        const app = require('express')();
        const mobile = require('azure-mobile-apps')();
        mobile.tables.add('notes');
        app.use(mobile);
        const server = require('http').createServer(app);
        server.on('upgrade', () => {});
        server.listen(process.env.PORT);
        """

    private static func workplace() throws -> Workplace {
        let workplace = try Workplace()
        try FileManager.default.removeItem(atPath: "\(workplace.path)/config/tables/TodoItem.yaml")
        let project = "\(workplace.path)/project"
        try FileManager.default.createDirectory(atPath: project, withIntermediateDirectories: true)
        try Data(app.utf8).write(to: URL(filePath: "\(project)/app.js"))
        return workplace
    }

    @Test func `neither check nor serve lets it pass, and both say where it is and by which name`() throws {
        let workplace = try Self.workplace()
        for command in ["check", "serve"] {
            let end = try workplace.run(command, "--app", "project")
            #expect(end.code == 78)
            let told = end.output + end.errors
            #expect(told.contains("project/app.js:7: takes connections over"))
            #expect(told.contains("if that is known: scripts.allowUnsupported: [websockets]"))
        }
    }

    @Test func `one that is allowed is a warning, and the rest is served`() async throws {
        let workplace = try Self.workplace()
        let environment = [Self.setting: "websockets"]
        let end = try workplace.run("check", "--app", "project", environment: environment)
        #expect(end.code == 0)
        #expect((end.output + end.errors).contains("(websockets is allowed)"))
        let daemon = try Daemon(workplace, arguments: ["--app", "project"], environment: environment)
        #expect(try await daemon.isReady())
        let answer = try daemon.client().exchange("GET", "/tables/notes", "", ["ZUMO-API-VERSION: 2.0.0"])
        #expect(answer.code == 200)
        #expect(daemon.stop() == 0)
    }

    @Test func `another name allows nothing, and is told of`() throws {
        let workplace = try Self.workplace()
        let both = [Self.setting: "transaction, websockets"]
        let idle = try workplace.run("check", "--app", "project", environment: both)
        #expect(idle.code == 0)
        let told = idle.output + idle.errors
        #expect(told.contains("scripts.allowUnsupported: transaction is nothing that the scripts have"))
        let others = try workplace.run("check", "--app", "project", environment: [Self.setting: "transaction"])
        #expect(others.code == 78)
        let wrong = try workplace.run("check", "--app", "project", environment: [Self.setting: "sockets"])
        #expect(wrong.code == 78)
        let sentence = "scripts.allowUnsupported: has to be one of client-certificates"
        #expect((wrong.output + wrong.errors).contains(sentence))
    }
}
