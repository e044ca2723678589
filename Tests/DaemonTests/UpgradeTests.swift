import Foundation
import Gzip
import JSONText
import PostgresTesting
import Testing
import WireTesting

/// Databases that earlier builds made, one of each numbered schema, with what those builds answered of their rows.
/// `scripts/make-upgrade-fixture` writes them.
@Suite("A database of an earlier build", .ownThread)
struct UpgradeTests {
    struct Fixture: Sendable, CustomTestStringConvertible {
        let name: String
        var testDescription: String { name }
        var isPostgres: Bool { name.hasPrefix("postgres") }

        private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Data/upgrades")

        static let all: [Fixture] = {
            let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false))) ?? []
            return files.filter { $0.hasSuffix(".json") }.sorted().map { Fixture(name: String($0.dropLast(5))) }
        }()

        /// The database's bytes, or its SQL.
        func database() throws -> [UInt8] {
            let file = Self.folder.appending(path: name + (isPostgres ? ".sql.gz" : ".sqlite3.gz"))
            return try GzipExpander.expand(Array(Data(contentsOf: file)), limit: 1 << 24) { _ in true }
        }

        /// What it is said to hold: `tables`, the definitions, and `answers`, by the paths that were asked.
        func members(_ name: String) throws -> [JSONMember] {
            let text = try Data(contentsOf: Self.folder.appending(path: self.name + ".json"))
            guard case .object(let members) = try JSONReader.parse(Array(text)),
                case .object(let found)? = members.first(where: { $0.name == name })?.value
            else { throw Unreadable() }
            return found
        }
    }

    struct Unreadable: Error {}

    @Test func `there is one of the newest schema of each store, and of many before`() {
        let names = Set(Fixture.all.map(\.name))
        for store in ["sqlite", "postgres"] {
            let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent().appending(path: "Migrations/\(store)").path(percentEncoded: false)
            let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            let newest = files.filter { $0.hasSuffix(".sql") }.compactMap { Int($0.prefix(4)) }.max() ?? 0
            let digits = String(newest)
            #expect(names.contains("\(store)-" + String(repeating: "0", count: 4 - digits.count) + digits))
        }
    }

    @Test(arguments: Fixture.all)
    func `is taken over: its rows as they were, its versions good, its stamps passed`(fixture: Fixture) throws {
        if fixture.isPostgres, SharedDatabase.server == nil { return }
        var files: [String: String] = ["zumod.yaml": "generation: v2\n"]
        for table in try fixture.members("tables") {
            guard case .string(let text) = table.value else { throw Unreadable() }
            files["tables/\(table.name).yaml"] = text
        }
        let workplace = try Workplace(files)
        let shared = fixture.isPostgres ? try SharedDatabase() : nil
        let url = try Self.place(fixture.database(), in: workplace, or: shared)
        let daemon = try Daemon(workplace, arguments: ["--database", url])
        let client = try daemon.client()
        let version = "ZUMO-API-VERSION: 2.0.0"

        var lastStamp = ""
        var row: [JSONMember] = []
        for answer in try fixture.members("answers") {
            let found = try client.exchange("GET", answer.name, "", [version])
            #expect(try JSONReader.parse(found.body) == answer.value, "\(answer.name): \(found.text)")
            guard answer.name.contains("/Todo?"), case .array(let rows) = answer.value else { continue }
            for case .object(let members) in rows {
                if case .string(let stamp)? = Self.value("updatedAt", members) { lastStamp = max(lastStamp, stamp) }
                if Self.value("id", members) == .string("row-01") { row = members }
            }
        }
        // A phone that synced with the earlier build pushes its edit, and pulls what is new.
        guard case .string(let tag)? = Self.value("version", row) else { throw Unreadable() }
        let json = ["Content-Type: application/json", version]
        let pushed = try client.exchange(
            "PATCH", "/tables/Todo/row-01", #"{"text":"later"}"#, json + ["If-Match: \"\(tag)\""])
        #expect(pushed.code == 200)
        let again = try client.exchange(
            "PATCH", "/tables/Todo/row-01", #"{"text":"lost"}"#, json + ["If-Match: \"\(tag)\""])
        #expect(again.code == 412)
        let pull =
            "/tables/Todo?$filter=updatedAt%20gt%20datetimeoffset'\(lastStamp)'&__includeDeleted=true&$select=id,text"
        #expect(try client.exchange("GET", pull, "", [version]).text == #"[{"id":"row-01","text":"later"}]"#)
        #expect(try client.exchange("GET", "/tables/Todo/row-02", "", [version]).code == 404)
        let numbered = try client.exchange("POST", "/tables/Numbered", #"{"text":"next"}"#, json)
        #expect(numbered.code == 201 && numbered.text.hasPrefix(#"{"id":4,"#))
        #expect(daemon.stop() == 0)
        let verified = try workplace.run(["verify", "--database", url]).output
        // The tests' own PostgreSQL doesn't sync, which verify has a word about.
        let findings = verified.split(separator: "\n").filter { !$0.hasPrefix(" ") && $0 != "ok" }
        #expect(findings.allSatisfy { $0.hasPrefix("database: the server's setting") }, "\(verified)")
    }

    /// Lays a database's bytes, or its SQL, where a server finds it.
    private static func place(_ bytes: [UInt8], in workplace: Workplace, or shared: SharedDatabase?) throws -> String {
        guard let shared else {
            try Data(bytes).write(to: URL(filePath: "\(workplace.path)/rows.sqlite3"))
            return "sqlite:rows.sqlite3"
        }
        let sql = String(decoding: bytes, as: UTF8.self)
            .replacing("CREATE SCHEMA zumod_fixture;", with: "").replacing("zumod_fixture", with: shared.schema)
        try shared.session().run(sql)
        return shared.url
    }

    /// Some of each store, or all.
    private static let some = Fixture.all.enumerated().filter { Extent.isWhole || $0.offset % 3 == 0 }.map(\.element)

    /// The first command after an upgrade may be the one that adds a user.
    @Test(arguments: some)
    func `shows a new user no row of one who had the name before`(fixture: Fixture) throws {
        if fixture.isPostgres, SharedDatabase.server == nil { return }
        guard case .string(let definition)? = Self.value("Todo", try fixture.members("tables")) else {
            throw Unreadable()
        }
        let workplace = try Workplace([
            "zumod.yaml": "auth: { signingKey: \(String(repeating: "1f", count: 32)), providers: { local: } }\n",
            "tables/Todo.yaml": definition + "perUser: true\nuserIdColumn: text\n",
        ])
        let shared = fixture.isPostgres ? try SharedDatabase() : nil
        // Some rows' text becomes an id of as many bytes.
        let bytes = try fixture.database().replacing(Array("changed".utf8), with: Array("Local:a".utf8))
        let url = try Self.place(bytes, in: workplace, or: shared)
        let process = workplace.process(["user", "add", "a", "--database", url])
        let password = Pipe()
        process.standardInput = password
        try password.fileHandleForWriting.write(contentsOf: Data("correct horse\n".utf8))
        try password.fileHandleForWriting.close()
        let added = try workplace.run(process)
        #expect(added.code == 0, "\(added.errors)")
        #expect(added.output.contains("the new user is another one, with the id Local:a#"), "\(added.output)")
    }

    private static func value(_ name: String, _ members: [JSONMember]) -> JSONValue? {
        members.first { $0.name == name }?.value
    }
}
