import Foundation
import JSONText
import Testing
import WireTesting

/// Projects laid out as they are found, served as they are: `Tests/Data/layouts` has them, each with its `cases.jsonl`, whose
/// answers are those of the SDK's documentation. Most of them are refusals.
@Suite("Layouts of projects", .ownThread)
struct ProjectLayoutTests {
    /// A request and what is to be answered.
    private struct Case {
        let label: String
        let method: String
        let path: String
        let user: String?
        let fields: [String]
        let body: String
        let status: Int64
        /// What the answer has among other members.
        let has: JSONValue?

        init(_ value: JSONValue) throws {
            label = try #require(value["label"]?.textValue)
            method = try #require(value["method"]?.textValue)
            path = try #require(value["path"]?.textValue).replacing(" ", with: "%20")
            status = try #require(value["status"]?.integerValue)
            user = value["user"]?.textValue
            has = value["has"]
            body = value["body"].map(Self.text) ?? ""
            guard case .object(let members)? = value["headers"] else {
                fields = []
                return
            }
            fields = members.map { "\($0.name): \($0.value.textValue ?? "")" }
        }

        private static func text(_ value: JSONValue) -> String {
            var json = JSONWriter()
            json.value(value)
            return String(decoding: json.bytes, as: UTF8.self)
        }
    }

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Data/layouts")
    private static let layouts = ["doors", "easy", "folders", "inline", "people", "service"]
    private static let stores = SharedDatabase.server == nil ? ["SQLite"] : ["SQLite", "PostgreSQL"]
    private static let environment = [
        "ZUMOD_AUTH_SIGNING_KEY": "a-signing-key-of-forty-four-bytes-in-all-told", "ZUMOD_AUTH_MASTER_KEY": "master",
        "ZUMOD_SCRIPTS_TIME_SECONDS": "60", "ZUMOD_SCRIPTS_WORKERS": "1",
    ]

    /// A folder with the project; the table of the tests' own configuration would be served beside it.
    private static func workplace(_ layout: String) throws -> Workplace {
        let workplace = try Workplace()
        try FileManager.default.removeItem(atPath: "\(workplace.path)/config/tables/TodoItem.yaml")
        try FileManager.default.copyItem(
            at: folder.appending(path: layout), to: URL(filePath: "\(workplace.path)/project"))
        return workplace
    }

    @Test func `there are no others`() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path(percentEncoded: false))
        #expect(names.sorted() == Self.layouts)
    }

    @Test(arguments: layouts, stores)
    func `are served as they stand`(layout: String, store: String) async throws {
        let workplace = try Self.workplace(layout)
        let database = store == "SQLite" ? nil : try SharedDatabase()
        let arguments = ["--app", "project"] + (database.map { ["--database", $0.url] } ?? [])
        let migration = try workplace.run(["migrate"] + arguments, environment: Self.environment)
        #expect(migration.code == 0, "\(migration.errors)")
        let daemon = try Daemon(workplace, arguments: arguments + ["--no-migrate"], environment: Self.environment)
        #expect(try await daemon.isReady())
        let client = try daemon.client()
        let text = try Data(contentsOf: Self.folder.appending(path: "\(layout)/cases.jsonl"))
        let cases = try text.split(separator: 10).map { try Case(try JSONReader.parse(Array($0))) }
        #expect(cases.count > 10)
        var tokens: [String: String] = [:]
        for user in Set(cases.compactMap(\.user)) {
            let token = try workplace.run("token", "--user", "sid:\(user)", environment: Self.environment).output
            tokens[user] = token.filter { !$0.isNewline }
        }
        for each in cases {
            var fields = each.fields + (layout == "service" ? [] : ["ZUMO-API-VERSION: 2.0.0"])
            if let token = each.user.flatMap({ tokens[$0] }) { fields.append("X-ZUMO-AUTH: \(token)") }
            let answer = try client.exchange(each.method, each.path, each.body, fields)
            #expect(Int64(answer.code) == each.status, "\(each.label): \(answer.text)")
            guard let has = each.has else { continue }
            let found = try? JSONReader.parse(Array(answer.text.utf8))
            #expect(found.map { Self.isIn(has, $0) } == true, "\(each.label): \(answer.text)")
        }
        #expect(daemon.stop() == 0)
    }

    /// Whether an answer has all members of what is expected, and lists as many items.
    private static func isIn(_ expected: JSONValue, _ found: JSONValue) -> Bool {
        switch expected {
        case .object(let members):
            members.allSatisfy { member in found[member.name].map { isIn(member.value, $0) } ?? false }
        case .array(let items):
            found.elements?.count == items.count && zip(items, found.elements ?? []).allSatisfy { isIn($0, $1) }
        default: expected == found
        }
    }

    @Test func `are told of by check, with who may do what and what says so`() throws {
        let workplace = try Self.workplace("easy")
        let told = try workplace.run("check", "--app", "project", environment: Self.environment)
        #expect(told.code == 0, "\(told.errors)")
        for line in [
            "permissions of table shut: everything disabled (tables/shut.json:1: access)",
            "insert authenticated (tables/tasks.json:5: insert.access)",
            "permissions of API /api/staff: get authenticated (api/staff.json:1: access)",
            "table broken: everybody is answered 500, since its file can't be read",
            "differs app.js:6: swagger is not served",
        ] {
            #expect(told.output.contains(line), "\(line)\n\(told.output)")
        }
        for line in [
            "project/package.json:4: asks for Node ~4.2",
            "project/tables/typo.json:3: `acess` is no key of a table; nobody is let in", "project/tables/broken.js:1",
        ] {
            #expect(told.errors.contains(line), "\(line)\n\(told.errors)")
        }
    }

    @Test func `are told of by check, with what requests come through and what becomes of SQL`() throws {
        let workplace = try Self.workplace("inline")
        let script = """
            exports.get = (req, res) => req.azureMobile.data.execute({
              sql: 'SELECT text FROM notes ' +
                'WHERE size > @size' }).then((rows) => res.json(rows));
            const bad = 'SELECT wrong FROM notes';
            const made = (name) => "SELECT text FROM " + name;
            """
        let main = URL(filePath: "\(workplace.path)/project/server.js")
        let text = try String(contentsOf: main, encoding: .utf8)
        try Data(text.replacing("app.use(mobile);", with: "mobile.api.import('./api');\napp.use(mobile);").utf8).write(
            to: main)
        try FileManager.default.createDirectory(
            atPath: "\(workplace.path)/project/api", withIntermediateDirectories: true)
        try Data(script.utf8).write(to: URL(filePath: "\(workplace.path)/project/api/sizes.js"))
        let told = try workplace.run("check", "--app", "project", environment: Self.environment)
        #expect(told.code == 0, "\(told.errors)")
        for line in [
            "chain 1, the application: a function (server.js:7)",
            "chain 2, the application, /tables/locked: a function (server.js:11)",
            "chain 3, the mobile app: a function (server.js:15)", "the mobile app's tables: a function (server.js:19)",
            "the application: the tables and APIs", "the application, get, /health: a function (server.js:",
            "table notes, update: a function (server.js:39)", "table notes, update: the operation",
            "SQL api/sizes.js:2: works on SQLite, works on PostgreSQL",
            "SQL api/sizes.js:4: is refused on SQLite and PostgreSQL",
            "SQL api/sizes.js:5: is put together while the script runs, and was not tried",
        ] {
            #expect(told.output.contains(line), "\(line)\n\(told.output)")
        }
    }
}
