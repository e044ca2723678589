import Foundation
import Testing
import WireTesting

@Suite("Tokens", .ownThread)
struct TokenTests {
    private static let settings = "auth: { signingKey: 00112233445566778899aabbccddeeff, masterKey: the-master }\n"
    private static let longKey = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"
    private static let table = "columns: { text: string }\naccess: authenticated\ndelete: { access: admin }\n"

    private func status(_ client: WireClient, _ line: String, _ field: String = "") throws -> Int {
        try client.send("\(line) HTTP/1.1\r\nHost: localhost\r\n\(field)Content-Length: 0\r\n\r\n")
        return try client.response().code
    }

    @Test func `a token that zumod makes opens a table that asks for one, and a forged one opens nothing`() throws {
        let workplace = try Workplace([
            "zumod.yaml": Self.settings, "tables/Closed.yaml": Self.table, "tables/Open.yaml": "",
        ])
        let made = try workplace.run("token", "--user", "sid:1", "--expires", "5m")
        #expect(made.code == 0)
        let token = made.output.filter { $0 != "\n" }
        let admin = try workplace.run("token", "--user", "sid:2", "--claim", "role=admin").output.filter { $0 != "\n" }
        let forged = String(token.dropLast(4)) + "AAAA"

        let daemon = try Daemon(workplace)
        let client = try daemon.client()
        #expect(try status(client, "GET /tables/closed") == 401)
        #expect(try status(client, "GET /tables/closed", "X-ZUMO-AUTH: \(token)\r\n") == 200)
        #expect(try status(client, "GET /tables/closed", "Authorization: Bearer \(token)\r\n") == 200)
        #expect(try status(client, "GET /tables/closed", "X-ZUMO-AUTH: \(forged)\r\n") == 401)
        #expect(try status(client, "GET /tables/open", "X-ZUMO-AUTH: \(forged)\r\n") == 401)
        #expect(try status(client, "GET /tables/open") == 200)
        #expect(try status(client, "DELETE /tables/closed/x", "X-ZUMO-AUTH: \(token)\r\n") == 401)
        #expect(try status(client, "DELETE /tables/closed/x", "X-ZUMO-AUTH: \(admin)\r\n") == 404)
        #expect(try status(client, "DELETE /tables/closed/x", "X-ZUMO-MASTER: the-master\r\n") == 404)
        #expect(try status(client, "DELETE /tables/closed/x", "X-ZUMO-MASTER: another\r\n") == 401)
        #expect(daemon.stop() == 0)
    }

    @Test func `an operator ends the tokens of a user while the server runs, and no other's`() throws {
        let workplace = try Workplace([
            "zumod.yaml": "auth: { signingKey: \(Self.longKey), providers: { local: } }\n",
            "tables/Closed.yaml": Self.table,
        ])
        for name in ["ann", "bob"] {
            let process = workplace.process(["user", "add", name])
            let input = Pipe()
            process.standardInput = input
            try process.run()
            input.fileHandleForWriting.write(Data("correct horse\n".utf8))
            try input.fileHandleForWriting.close()
            process.waitForEnd()
            #expect(process.terminationStatus == 0)
        }
        func field(_ user: String) throws -> String {
            "X-ZUMO-AUTH: \(try workplace.run("token", "--user", user).output.filter { $0 != "\n" })\r\n"
        }
        let (ann, bob) = (try field("Local:ann"), try field("Local:bob"))
        let daemon = try Daemon(workplace)
        let client = try daemon.client()
        #expect(try status(client, "GET /tables/closed", ann) == 200)
        #expect(try workplace.run("user", "revoke", "ann").code == 0)
        #expect(try Patience.until { try status(client, "GET /tables/closed", ann) == 401 })
        #expect(try status(client, "GET /tables/closed", bob) == 200)
        #expect(try status(client, "GET /tables/closed", try field("Local:ann")) == 200)
        let unknown = try workplace.run("user", "revoke", "eve")
        #expect(unknown.code == 64)
        #expect(unknown.errors == "error: there is no user eve\n")
        #expect(daemon.stop() == 0)
    }

    private static let refused: [([String], Int32)] = [
        (["--user", "a", "--expires", "5"], 64), (["--user", "a", "--claim", "role"], 64),
        (["--user", "a", "--claim", "exp=1"], 78), (["--user", ""], 78), (["--user", "a", "--expires", "0s"], 78),
    ]

    @Test(arguments: refused)
    func `words that make no token are refused`(words: [String], code: Int32) throws {
        let workplace = try Workplace(["zumod.yaml": Self.settings])
        let outcome = try workplace.run(["token"] + words)
        #expect(outcome.code == code)
        #expect(outcome.output == "")
    }

    @Test func `without a signing key there is no token`() throws {
        let outcome = try Workplace().run("token", "--user", "a")
        #expect(outcome.code == 78)
        #expect(outcome.errors == "error: there is no signing key; set auth.signingKey or ZUMOD_AUTH_SIGNING_KEY\n")
    }
}
