import Foundation
import Testing
import WireTesting

@Suite("What web pages may ask of a server for tests", .ownThread)
struct ForeignPageTests {
    @Test(arguments: [
        ["Host: evil.example"], ["Host: evil.example:8080"], ["Host: localhost.evil.example"],
        ["Host: localhost", "Origin: https://evil.example"], ["Host: localhost", "Origin: http://203.0.113.1"],
        ["Host: localhost", "Origin: null"], ["Host: localhost", "Origin: http://127.0.0.1.evil.example"],
        ["Host: localhost", "Sec-Fetch-Site: cross-site"],
    ])
    func `a foreign page neither reads the record nor resets a world`(_ fields: [String]) throws {
        let server = try TestModeServer(.memory)
        for world in [server.root, try server.world()] {
            try world.insert("kept")
            for (method, path) in [("GET", "/_test/requests"), ("POST", "/_test/reset"), ("POST", "/_test/replay")] {
                let answer = try Self.ask(server.port, method, world.path + path, fields)
                #expect(answer.code == 403)
                #expect(answer.text.contains("test.allowRemote") && !answer.text.contains("kept"))
            }
            #expect(try world.ids() == ["kept"])
        }
    }

    @Test(arguments: [
        ["Host: localhost:8080", "Origin: http://localhost:9876"], ["Host: [::1]:8080", "Origin: http://[::1]:3000"],
        ["Host: 10.0.2.2:8080"], ["Host: localhost", "Origin: capacitor://localhost"],
        ["Host: 127.0.0.1", "Origin: https://127.0.0.1:5173", "Sec-Fetch-Site: cross-site"],
        ["Host: localhost", "Sec-Fetch-Site: none"],
    ])
    func `a page of this machine asks what tests ask`(_ fields: [String]) throws {
        let server = try TestModeServer(.memory)
        #expect(try Self.ask(server.port, "POST", "/_test/reset", fields).code == 204)
    }

    @Test func `test.allowRemote lets names and pages of other machines ask`() throws {
        let server = try TestModeServer(.memory, ["zumod.yaml": "test: { allowRemote: true }\n"])
        let fields = ["Host: zumod:8080", "Origin: https://app.example"]
        #expect(try Self.ask(server.port, "POST", "/_test/reset", fields).code == 204)
    }

    @Test func `a POST means the method that it names in a field, here too`() throws {
        let server = try TestModeServer(.memory)
        for (method, code) in [("DELETE", 204), ("PURGE", 400)] {
            let fields = ["Host: localhost", "X-HTTP-Method-Override: \(method)"]
            #expect(try Self.ask(server.port, "POST", "/_test/requests", fields).code == code)
        }
    }

    private static func ask(
        _ port: UInt16, _ method: String, _ target: String, _ fields: [String]
    ) throws -> WireResponse {
        let client = try WireClient(port: port)
        // As a page's form sends it: no question is asked before.
        let lines = ["\(method) \(target) HTTP/1.1", "Content-Type: text/plain", "Content-Length: 0"] + fields
        try client.send(lines.joined(separator: "\r\n") + "\r\n\r\n")
        return try client.response(hasBody: true)
    }
}
