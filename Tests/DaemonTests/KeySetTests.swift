import Foundation
import Testing
import TokenTesting
import WireTesting

@Suite("Key sets", .ownThread)
struct KeySetTests {
    /// An issuer with a name, as tokens give it.
    private struct Issuer {
        let keys: TestIssuer
        let name: String

        init(id: String, name: String) {
            keys = TestIssuer(keyID: id)
            self.name = name
        }

        func token(audience: String = "api://todo") throws -> String {
            try keys.token(#""sub":"u1","iss":"\#(name)","aud":"\#(audience)","exp":4000000000"#)
        }
    }

    private static let settings = """
        auth:
          keySets:
            - { path: keys, issuer: "https://a.example", audience: "api://todo" }
        """
    private static let table = "columns: { text: string }\naccess: authenticated\n"

    private func status(_ client: WireClient, _ token: String) throws -> Int {
        try client.exchange("GET", "/tables/closed", "", ["X-ZUMO-AUTH: \(token)"]).code
    }

    private func waits(_ client: WireClient, _ token: String, for status: Int) throws -> Bool {
        try Patience.until { try self.status(client, token) == status }
    }

    @Test func `tokens of a trusted issuer are taken, and its new keys while the server runs`() throws {
        let workplace = try Workplace(["zumod.yaml": Self.settings, "tables/Closed.yaml": Self.table])
        try FileManager.default.createDirectory(
            atPath: "\(workplace.path)/config/keys", withIntermediateDirectories: true)
        let first = Issuer(id: "1", name: "https://a.example")
        let second = Issuer(id: "2", name: "https://a.example")
        let stranger = Issuer(id: "1", name: "https://b.example")
        try workplace.write(first.keys.keySet, to: "keys/first.json")
        try workplace.write("not a key set", to: "keys/notes.txt")
        let daemon = try Daemon(workplace)
        let client = try daemon.client()
        #expect(try status(client, first.token()) == 200)
        #expect(try status(client, first.token(audience: "api://other")) == 401)
        #expect(try status(client, stranger.token()) == 401)
        #expect(try status(client, second.token()) == 401)

        try workplace.write(second.keys.keySet, to: "keys/second.json")
        #expect(try waits(client, second.token(), for: 200))
        #expect(try status(client, first.token()) == 200)

        try FileManager.default.removeItem(atPath: "\(workplace.path)/config/keys/first.json")
        #expect(try waits(client, first.token(), for: 401))
        #expect(try status(client, second.token()) == 200)

        try workplace.write("{", to: "keys/third.json")
        Patience.until { daemon.logged.contains("the old ones stay in force") }
        #expect(daemon.logged.contains("third.json: is not a key set"))
        #expect(try status(client, second.token()) == 200)
        #expect(daemon.stop() == 0)
    }

    private static let refused: [(String, String)] = [
        ("auth: { keySets: [{ issuer: a }] }", "needs a path"),
        ("auth: { keySets: [{ path: a, isuer: b }] }", "unknown key; did you mean auth.keySets[0].issuer?"),
        ("auth: { keySets: [{ path: a, issuer: [] }] }", "auth.keySets[0].issuer: is an empty list"),
        ("auth: { keySets: [{ path: a, audience: [b, ''] }] }", "auth.keySets[0].audience[1]: is empty"),
    ]

    @Test(arguments: refused)
    func `what names no key set is refused`(_ settings: String, _ words: String) throws {
        let outcome = try Workplace(["zumod.yaml": settings + "\n"]).run("check")
        #expect(outcome.code == 78)
        #expect(outcome.errors.contains(words), "\(outcome.errors)")
    }

    private static let unusable: [(String, String)] = [
        ("auth: { keySets: nowhere }", "there is no file or directory config/nowhere"),
        ("auth: { keySets: tables }", "there is no .json file in config/tables"),
        ("auth: { keySets: zumod.yaml }", "config/zumod.yaml: is not a key set"),
    ]

    @Test(arguments: unusable)
    func `what is no key set is a warning`(_ settings: String, _ words: String) throws {
        let outcome = try Workplace(["zumod.yaml": settings + "\n"]).run("check")
        #expect(outcome.code == 0)
        #expect(outcome.errors.contains("warning: config/zumod.yaml:1: auth.keySets: \(words)"), "\(outcome.errors)")
        #expect(outcome.errors.contains("has no usable key"), "\(outcome.errors)")
    }

    private static let provider = """
        auth:
          signingKey: \(String(repeating: "1f", count: 32))
          providers:
            local:
            google: { keySet: google.json, issuer: "https://g.example", audience: app }

        """

    @Test func `a provider without a usable key has no logins, and nothing else stands still`() throws {
        let workplace = try Workplace(["zumod.yaml": Self.provider])
        let issuer = Issuer(id: "1", name: "https://g.example")
        let daemon = try Daemon(workplace)
        let client = try daemon.client()
        // By a connection and a token of its own: on a busy machine the waits are longer than one may be idle.
        func logIn() throws -> Int {
            let body = #"{"id_token":"\#(try issuer.token(audience: "app"))"}"#
            return try daemon.client().exchange("POST", "/.auth/login/google", body).code
        }
        #expect(try client.exchange("GET", "/tables/TodoItem").code == 200)
        #expect(try client.exchange("GET", "/.auth/login/local").code == 200)
        #expect(try logIn() == 401)
        #expect(try client.exchange("GET", "/readyz").text == #"{"status":"ready","withoutKeys":["google"]}"#)
        #expect(daemon.logged.contains("auth.providers.google.keySet: has no usable key"), "\(daemon.logged)")

        // Half written, then whole, among keys that nobody understands.
        try workplace.write("{\"keys\":", to: "google.json")
        let odd = #"{"keys":[{"kty":"RSA","x5c":["MII"],"kid":"a"},{"kty":"LWE"},"#
        try workplace.write(odd + issuer.keys.keySet.dropFirst(#"{"keys":["#.utf8.count), to: "google.json")
        // Logins that fail are numbered, so that none asks whether it has come.
        let ready = #"{"status":"ready"}"#
        #expect(try Patience.until { try daemon.client().exchange("GET", "/readyz").text == ready })
        #expect(try logIn() == 200)
        #expect(daemon.logged.contains("key 0 (counted from 0; kid a) is passed over: it has no n, but a certificate"))

        // The log says which claim had which value.
        let other = #"{"id_token":"\#(try issuer.token(audience: "another"))"}"#
        #expect(try client.exchange("POST", "/.auth/login/google", other).code == 401)
        #expect(try client.exchange("GET", "/tables/TodoItem", "", ["X-ZUMO-AUTH: \(try issuer.token())"]).code == 401)
        Patience.until { daemon.logged.contains("; wanted is app.") }
        #expect(daemon.logged.contains("another"), "\(daemon.logged)")
        #expect(daemon.logged.contains("; wanted is app."), "\(daemon.logged)")

        // What can't be read any more leaves the keys in force, also where all is read again.
        try workplace.write("", to: "google.json")
        Patience.until { daemon.logged.contains("google.json: is not a key set") }
        daemon.send(signal: SIGHUP)
        Patience.until { daemon.logged.contains("was read again and is in force") }
        #expect(try logIn() == 200)
        #expect(daemon.stop() == 0)
    }
}
