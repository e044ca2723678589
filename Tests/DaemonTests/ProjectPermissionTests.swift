import Foundation
import JSONText
import Testing
import WireTesting

/// Who may do what by the files of a project, in each of its forms: `Tests/Data/permissions.json` has the cases, and
/// `Tests/scripts` asks the code that merges them for the same.
@Suite("Permissions of projects", .ownThread)
struct ProjectPermissionTests {
    /// What the module of a table says, what the JSON file of its name says, and the level of each operation then.
    private struct Case {
        let name: String
        let code: String?
        let data: JSONValue?
        let levels: [String]

        static let all: [Case] = {
            let path = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Data/permissions.json")
            let text = (try? Array(Data(contentsOf: path))) ?? []
            return ((try? JSONReader.parse(text))?.elements ?? []).map { written in
                Case(
                    name: written["name"]?.textValue ?? "", code: written["code"]?.textValue, data: written["data"],
                    levels: (written["levels"]?.elements ?? []).compactMap(\.textValue))
            }
        }()
    }

    /// An operation of tables, with the method by which it is asked for and the verb that stands for it in APIs.
    private struct Operation {
        let name: String
        let method: String
        let verb: String
    }

    private static let operations = [
        Operation(name: "read", method: "GET", verb: "get"), Operation(name: "insert", method: "POST", verb: "post"),
        Operation(name: "update", method: "PATCH", verb: "patch"),
        Operation(name: "delete", method: "DELETE", verb: "delete"),
        Operation(name: "undelete", method: "POST", verb: "put"),
    ]

    private enum Form: String, CaseIterable {
        case config, app
        /// An app with something of its own before everything, through which every request goes.
        case chain
    }

    private enum Caller: CaseIterable {
        case nobody, application, user, otherUser, admin

        func isLet(in level: String) -> Bool {
            switch level {
            case "anonymous": true
            case "application": self != .nobody
            case "authenticated": ![.nobody, .application].contains(self)
            case "admin": self == .admin
            default: false
            }
        }
    }

    private static let environment = [
        "ZUMOD_AUTH_SIGNING_KEY": "a-signing-key-of-forty-four-bytes-in-all-told", "ZUMOD_AUTH_MASTER_KEY": "master",
        "ZUMOD_AUTH_APPLICATION_KEY": "app", "ZUMOD_AUTH_APPLICATION_KEY_REQUIRED": "true",
        "ZUMOD_SCRIPTS_TIME_SECONDS": "60", "ZUMOD_SCRIPTS_WORKERS": "1",
    ]

    /// A project with a table and an API for each case.
    private static func workplace(_ form: Form) throws -> Workplace {
        let workplace = try Workplace()
        let root = "\(workplace.path)/\(form == .config ? "config" : "project")"
        func write(_ text: String, to name: String) throws {
            let path = URL(filePath: "\(root)/\(name)")
            try FileManager.default.createDirectory(
                at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: path)
        }
        if form != .config {
            let guarding = form == .chain ? "app.use((req, res, next) => next());\n" : ""
            try write(
                "const m = require('azure-mobile-apps')();\nm.tables.import('./tables');\nm.api.import('./api');\n"
                    + "const app = require('express')();\n\(guarding)app.use(m);\napp.listen(3000);\n", to: "app.js")
        }
        for (number, each) in Case.all.enumerated() {
            if let code = each.code {
                let table =
                    "const table = module.exports = require('azure-mobile-apps').table();\ntable.softDelete = true;\n\(code)\n"
                try write(table, to: "tables/t\(number).js")
            }
            if case .object(let members)? = each.data {
                let data = members + (each.code == nil ? [JSONMember("softDelete", true)] : [])
                try write(text(of: .object(data)), to: "tables/t\(number).json")
            }
            let verbs = operations.map { "exports.\($0.verb) = (req, res) => res.json({ done: true });" }
            let api = verbs.joined(separator: "\n") + "\n" + inVerbs(each.code ?? "")
            try write(api, to: "api/a\(number).js")
            if let data = each.data { try write(text(of: inVerbs(data)), to: "api/a\(number).json") }
        }
        return workplace
    }

    private static func text(of value: JSONValue) -> String {
        var json = JSONWriter()
        json.value(value)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    /// What code says of a table, said of an API.
    private static func inVerbs(_ code: String) -> String {
        var code = code
        for each in operations { code = code.replacing("table.\(each.name).", with: "exports.\(each.verb).") }
        return code.replacing("table.", with: "exports.")
    }

    /// The same of data; what only a table has is left out.
    private static func inVerbs(_ data: JSONValue) -> JSONValue {
        guard case .object(let members) = data else { return data }
        return .object(
            members.filter { $0.name != "softDelete" }.map { member in
                JSONMember(operations.first { $0.name == member.name }?.verb ?? member.name, member.value)
            })
    }

    private static let stores = SharedDatabase.server == nil ? ["SQLite"] : ["SQLite", "PostgreSQL"]

    @Test(arguments: Form.allCases.map(\.rawValue), stores)
    func `are as its files say, for everybody and each operation`(form: String, store: String) throws {
        let form = try #require(Form(rawValue: form))
        #expect(Case.all.count > 30)
        let database = store == "SQLite" ? nil : try SharedDatabase()
        let workplace = try Self.workplace(form)
        let arguments =
            (form == .config ? [] : ["--app", "project"]) + (database.map { ["--database", $0.url] } ?? [])
        let daemon = try Daemon(workplace, arguments: arguments, environment: Self.environment)
        let client = try daemon.client()
        for (caller, fields) in try Self.callers(workplace) {
            for (number, each) in Case.all.enumerated() {
                for (operation, level) in zip(Self.operations, each.levels) {
                    let isIn = caller.isLet(in: level)
                    let refusal = level == "disabled" ? 405 : 401
                    let body = ["POST", "PATCH"].contains(operation.method) ? #"{"text":"a"}"# : ""
                    let path = "/tables/t\(number)" + (["read", "insert"].contains(operation.name) ? "" : "/none")
                    let answer = try client.exchange(operation.method, path, body, fields).code
                    let done = ["read": 200, "insert": 201][operation.name] ?? 404
                    #expect(
                        answer == (isIn ? done : refusal), "\(each.name): \(operation.name) of a table for \(caller)")
                    let verb = operation.verb.uppercased()
                    let api = try client.exchange(verb, "/api/a\(number)", verb == "GET" ? "" : "{}", fields).code
                    #expect(api == (isIn ? 200 : refusal), "\(each.name): \(verb) of an API for \(caller)")
                }
            }
        }
        #expect(daemon.stop() == 0)
    }

    private static let script = "const table = module.exports = require('azure-mobile-apps').table();\n"

    @Test(arguments: ["json", "yaml"])
    func `are those of the file beside a script that names its table otherwise`(kind: String) throws {
        let workplace = try Workplace([
            "tables/notes.js": Self.script + "table.name = 'renamed';\ntable.access = 'authenticated';\n",
            "tables/notes.\(kind)": "{ \"access\": \"disabled\", \"read\": { \"authorize\": true } }",
        ])
        let daemon = try Daemon(workplace, environment: Self.environment)
        let client = try daemon.client()
        let version = ["ZUMO-API-VERSION: 2.0.0"]
        #expect(try client.exchange("GET", "/tables/renamed", "", version).code == 405)
        #expect(try client.exchange("GET", "/tables/notes", "", version).code == 404)
        #expect(daemon.stop() == 0)
    }

    @Test func `are told of where a file names the table of its script otherwise`() throws {
        let script = Self.script + "table.read((context) => { throw new Error('guarded'); });\n"
        let files = ["tables/notes.js": script, "tables/notes.yaml": "name: renamed\naccess: anonymous\n"]
        let told = try Workplace(files).run("check", environment: Self.environment)
        #expect(told.code == 78)
        #expect(told.errors.contains("name: is renamed, and the script tables/notes.js beside it serves notes"))
        // A file of JSON is read by the script's side too.
        let both = try Workplace(["tables/notes.js": script, "tables/notes.json": "{ \"name\": \"renamed\" }"])
        let daemon = try Daemon(both, environment: Self.environment)
        let answer = try daemon.client().exchange("GET", "/tables/renamed", "", ["ZUMO-API-VERSION: 2.0.0"])
        #expect(answer.code == 500)
        #expect(daemon.stop() == 0)
    }

    private static func callers(_ workplace: Workplace) throws -> [(Caller, [String])] {
        func user(_ name: String) throws -> String {
            let token = try workplace.run("token", "--user", name, environment: environment).output
            return "X-ZUMO-AUTH: \(token.filter { !$0.isNewline })"
        }
        let version = "ZUMO-API-VERSION: 2.0.0"
        return try Caller.allCases.map { caller in
            switch caller {
            case .nobody: (caller, [version])
            case .application: (caller, [version, "X-ZUMO-APPLICATION: app"])
            case .user: (caller, [version, try user("sid:nora")])
            case .otherUser: (caller, [version, try user("sid:otto")])
            case .admin: (caller, [version, "X-ZUMO-MASTER: master"])
            }
        }
    }
}
