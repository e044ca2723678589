import Foundation
import Testing
import WireTesting

/// Nothing that the program says may hold a secret: no answer, no line of the log, no word of a command.
@Suite("Secrets", .ownThread)
struct SecretsTests {
    /// Each has the same long mark, so that no part of one can be overlooked.
    private static let mark = "Zq7Xw"
    private static func secret(_ name: String) -> String { "\(mark)-\(name)-\(mark)\(mark)-not-to-be-told" }

    private static let signingKey = secret("signing")
    private static let masterKey = secret("master")
    private static let applicationKey = secret("application")
    private static let webhookSecret = secret("webhook")
    private static let databasePassword = secret("database")
    private static let userPassword = secret("user")
    private static let tokenPart = secret("token")

    /// The forms in which a secret may appear: as it is, in hexadecimal, and in base64 at each of three offsets.
    private static let forms: [String] = {
        let hex = mark.utf8.map { String($0, radix: 16) }.joined()
        let base64 = (0..<3).map { offset in
            let text = Data((String(repeating: " ", count: offset) + mark + "   ").utf8).base64EncodedString()
            // The digits that hold bits of the mark alone.
            let first = (offset * 8 + 5) / 6
            let last = (offset + mark.utf8.count) * 8 / 6
            return String(text.dropFirst(first).prefix(last - first))
        }
        return [mark, mark.lowercased(), mark.uppercased(), hex, hex.uppercased()] + base64
    }()

    private static func expectNothing(in text: String, _ place: String) {
        for form in forms {
            #expect(!text.contains(form), "\(place) holds \(form): \(text.prefix(2_000))")
        }
    }

    @Test func `the forms that are looked for are the right ones`() {
        for secret in [Self.signingKey, Self.databasePassword, "x" + Self.masterKey, "xy" + Self.masterKey] {
            let base64 = Data(secret.utf8).base64EncodedString()
            #expect(Self.forms.suffix(3).contains { base64.contains($0) })
            #expect(Self.forms.contains { secret.utf8.map { String($0, radix: 16) }.joined().contains($0) })
        }
    }

    private static let settings = """
        auth:
          signingKey: \(signingKey)
          masterKey: \(masterKey)
          applicationKey: \(applicationKey)
          providers: { local: }
        webhook: { secret: \(webhookSecret) }
        log: { level: trace }
        """
    private static let tables = [
        "tables/guarded.yaml": "access: authenticated", "tables/admin.yaml": "access: admin",
        "tables/told.yaml":
            "webhook: { url: 'http://127.0.0.1:9/notices?code=\(webhookSecret)', secret: '\(webhookSecret)' }",
        "apis/told.yaml": "kind: runtimeInfo",
    ]

    /// A token that no key has signed, and one that the server itself has made with a claim that is nobody's business.
    private static func tokens(_ workplace: Workplace) throws -> [String] {
        let payload = Data(#"{"sub":"\#(tokenPart)"}"#.utf8).base64EncodedString().replacing("=", with: "")
        let minted = try workplace.run("token", "--user", "sid:ann", "--expires", "1s", "--claim", "note=\(tokenPart)")
        #expect(minted.code == 0)
        let good = minted.output.trimmingCharacters(in: .newlines)
        return [tokenPart, "eyJhbGciOiJIUzI1NiJ9.\(payload).AAAA", "eyJhbGciOiJub25lIn0.\(payload).", good + "A"]
    }

    /// Requests that go wrong in many ways, each with secrets in all places that are meant for one.
    private static func provoke(_ daemon: Daemon, _ tokens: [String]) throws {
        var requests: [(method: String, target: String, fields: [String], body: String)] = []
        let paths = [
            "/tables/TodoItem", "/tables/guarded", "/tables/admin", "/tables/none", "/tables/TodoItem/a?$filter=((",
            "/tables/TodoItem?$filter=nocolumn%20eq%201", "/tables/told", "/api/told", "/api/none", "/.auth/me",
            "/.auth/refresh", "/login/local/token?authorization_code=\(tokenPart)&code_verifier=\(tokenPart)",
            "/push/x", "/diagnostics", "/nowhere", "/%zz", "/readyz", "/metrics", "/tables/TodoItem?ZUMO-API-VERSION=x",
        ]
        for token in tokens + [masterKey, signingKey] {
            for path in paths {
                let mark = path.contains("?") ? "&" : "?"
                for fields in [["X-ZUMO-AUTH: \(token)"], ["Authorization: Bearer \(token)"], []] {
                    requests.append(("GET", path, fields, ""))
                    requests.append(("POST", path, fields, "{\"id\":"))
                }
                requests.append(("DELETE", "\(path)\(mark)access_token=\(token)&token=\(token)", [], ""))
            }
        }
        for path in paths {
            for (name, key) in [("X-ZUMO-MASTER", masterKey), ("X-ZUMO-APPLICATION", applicationKey)] {
                requests.append(("GET", path, ["\(name): \(key)"], ""))
                requests.append(("POST", path, ["\(name): \(key)x"], "{}"))
                requests.append(("PUT", path, ["\(name): \(key)", "X-ZUMO-AUTH: \(tokenPart)"], "[]"))
            }
        }
        // A login that gets as far as the password is meant to be work, so there is one.
        let login = #"{"username":"ann","password":"\#(userPassword)x"}"#
        requests.append(("POST", "/.auth/login/local", ["Content-Type: application/json"], login))
        for path in ["/.auth/login/local", "/login/local", "/.auth/login/none"] {
            requests.append(("POST", path, [], "{\"username\":\"ann\",\"password\":\"\(userPassword)"))
            requests.append(("GET", "\(path)?password=\(userPassword)&completion_origin=\(tokenPart)", [], ""))
        }
        let client = try daemon.client()
        for request in requests {
            var head = "\(request.method) \(request.target) HTTP/1.1\r\nHost: localhost\r\n"
            for field in request.fields { head += field + "\r\n" }
            try client.send(head + "Content-Length: \(request.body.utf8.count)\r\n\r\n" + request.body)
            let answer = try Self.answer(from: client)
            let text = answer.status + answer.fields.map { "\($0.name): \($0.value)" }.joined(separator: "\n")
            expectNothing(in: text + answer.text, "the answer to \(request.method) \(request.target)")
            #expect(answer.code >= 200)
        }
        for broken in ["GET / HTTP/9.9\r\nAuthorization: \(masterKey)\r\n\r\n", "X-ZUMO-MASTER: \(masterKey)\r\n\r\n"] {
            let client = try daemon.client()
            try client.send(broken)
            expectNothing(in: try client.response().text, "the answer to what is no request")
        }
    }

    /// Waits longer than the client does by itself, which may be too short for a password on a busy machine.
    private static func answer(from client: WireClient) throws -> WireResponse {
        for _ in 0..<5 {
            if let answer = try? client.response() { return answer }
        }
        return try client.response()
    }

    @Test(arguments: ["text", "json"])
    func `are in no answer and in no line of the log`(format: String) async throws {
        let workplace = try Workplace(Self.tables.merging(["zumod.yaml": Self.settings]) { $1 })
        try Self.addUser(workplace)
        let daemon = try Daemon(workplace, arguments: ["--log-format", format])
        try Self.provoke(daemon, try Self.tokens(workplace))
        // The master key was the right one: the row is written, and its notice is on its way.
        #expect(try await daemon.waits(forLog: "a webhook failed"))
        #expect(daemon.stop() == 0)
        #expect(daemon.logged.contains("token refused"))
        Self.expectNothing(in: daemon.logged, "the log")
    }

    private static func addUser(_ workplace: Workplace) throws {
        let process = workplace.process(["user", "add", "ann"])
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        process.standardError = output
        try process.run()
        input.fileHandleForWriting.write(Data("\(userPassword)\n".utf8))
        try input.fileHandleForWriting.close()
        let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitForEnd()
        #expect(process.terminationStatus == 0)
        expectNothing(in: said, "zumod user add")
    }

    @Test func `are not told by a server whose database refuses the password`() throws {
        let database = try RefusingDatabase()
        let url = "postgresql://zumod:\(Self.databasePassword)@127.0.0.1:\(database.port)/app?sslmode=disable"
        let workplace = try Workplace(["zumod.yaml": Self.settings, "tables/guarded.yaml": "access: authenticated"])
        let daemon = try Daemon(workplace, arguments: ["--database", url])
        let client = try daemon.client()
        for path in ["/readyz", "/tables/TodoItem", "/diagnostics"] {
            try client.send("GET \(path) HTTP/1.1\r\nHost: a\r\nX-ZUMO-MASTER: \(Self.masterKey)\r\n\r\n")
            let answer = try client.response()
            #expect(answer.code == 503)
            Self.expectNothing(in: answer.text, path)
        }
        daemon.send(signal: SIGTERM)
        #expect(daemon.exit() == 0)
        #expect(database.passwords.contains(Self.databasePassword))
        #expect(daemon.logged.contains("password authentication failed"))
        Self.expectNothing(in: daemon.logged, "the log")
        for command in [["check"], ["migrate"], ["verify"], ["export"], ["backup", "copy"], ["table", "list"]] {
            let outcome = try workplace.run(command + ["--database", url])
            #expect(outcome.code != 0)
            Self.expectNothing(in: outcome.output + outcome.errors, "zumod \(command)")
        }
    }

    /// Settings with a mistake in them, beside or in the place of a secret.
    private static let mistakes: [String] = [
        "auth: \(masterKey)", "auth: [\(masterKey)]", "auth: { \(masterKey) }", "auth: { masterKey=\(masterKey) }",
        "auth: { masterKey \(masterKey) }", "auth: { mastreKey: \(masterKey) }",
        "auth: { masterKey: \" \(masterKey)\" }",
        "auth: { masterKey: [\(masterKey)] }", "auth: { masterKey: { a: \(masterKey) } }", "masterKey: \(masterKey)",
        "auth:\n  masterKey: \"\(masterKey)\n", "auth:\n  masterKey: \(masterKey)\n  masterKey: \(masterKey)",
        "auth: { providers: \(masterKey) }", "auth: { providers: { google: \(masterKey) } }",
        "auth: { providers: { google: { clientSecret: \(masterKey) } } }", "\(masterKey)", "- \(masterKey)",
        "auth: { signingKey: x\(signingKey), signingKeys: \(signingKey) }", "webhook: \(webhookSecret)",
        "webhook: { secret: [\(webhookSecret)] }", "database: postgresql://zumod:\(databasePassword)@127.0.0.1/a",
        "database: { url: \"mysql://zumod:\(databasePassword)@127.0.0.1/a\" }",
        "database: { url: \"postgresql://zumod:a@\(databasePassword)@127.0.0.1/a\" }",
        "database: { url: \"postgresql://zumod:a/\(databasePassword)@127.0.0.1/a\" }",
        "database: { url: \"postgresql://zumod:a?\(databasePassword)@127.0.0.1/a\" }",
        "database: { url: \"postgresql://zumod:a%\(databasePassword)@127.0.0.1/a\" }",
        "database: { url: \"postgresql://127.0.0.1/a?pasword=\(databasePassword)\" }",
        "database: { url: \"postgresql://127.0.0.1:1/a?password=\(databasePassword)\" }",
        "database: { uri: \"postgresql://zumod:\(databasePassword)@127.0.0.1/a\" }",
    ]

    @Test(arguments: mistakes)
    func `are in no word about a mistake in the configuration`(settings: String) throws {
        let workplace = try Workplace(["zumod.yaml": settings])
        for command in ["check", "migrate"] {
            let outcome = try workplace.run(command)
            #expect(outcome.code == 78 || outcome.code == 69, "\(outcome)")
            #expect(!outcome.errors.isEmpty)
            Self.expectNothing(in: outcome.output + outcome.errors, "zumod \(command)")
        }
    }

    @Test(arguments: [
        ["ZUMOD_AUTH_MASTER_KEY": " \(masterKey)"], ["ZUMOD_AUTH_MASTER_KEY_FILE": masterKey],
        ["ZUMOD_AUTH_MASTERKEY": masterKey], ["ZUMOD_AUTH": masterKey], ["ZUMOD_DATABASE_URL": databasePassword],
        ["ZUMOD_AUTH_SIGNING_KEY": signingKey, "ZUMOD_AUTH_SIGNING_KEY_FILE": signingKey],
        ["ZUMOD_DATABASE_URL": "postgresql://zumod:\(databasePassword)@127.0.0.1:99999/a"],
    ])
    func `are in no word about a mistake in the environment`(environment: [String: String]) throws {
        let outcome = try Workplace().run("check", environment: environment)
        #expect(outcome.code == 78, "\(outcome)")
        Self.expectNothing(in: outcome.output + outcome.errors, "zumod check")
    }

    @Test(arguments: [
        "webhook: \(webhookSecret)", "webhook: { url: 'http://me:\(webhookSecret)@127.0.0.1:9/' }",
        "webhook: { url: 'ftp://127.0.0.1/\(webhookSecret)' }", "webhook: { secret: '\(webhookSecret)' }",
        "webhook: { url: 'http://127.0.0.1:9', secret: { a: '\(webhookSecret)' } }",
        "webhook: { url: 'http://127.0.0.1:9', sceret: '\(webhookSecret)' }",
    ])
    func `are in no word about a mistake in a table's file`(definition: String) throws {
        let outcome = try Workplace(["tables/told.yaml": definition]).run("check")
        #expect(outcome.code == 78)
        Self.expectNothing(in: outcome.output + outcome.errors, "zumod check")
    }

    @Test func `are in no line of what looks at a good configuration`() throws {
        let workplace = try Workplace(Self.tables.merging(["zumod.yaml": Self.settings]) { $1 })
        for command in [["check"], ["table", "list"], ["table", "show", "told"], ["check", "--host", "0.0.0.0"]] {
            let outcome = try workplace.run(command)
            #expect(outcome.code == 0)
            Self.expectNothing(in: outcome.output + outcome.errors, "zumod \(command)")
        }
    }
}
