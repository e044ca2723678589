import Testing
import WireTesting

/// A request to an echo, and what comes back.
private struct Echo: Sendable, CustomTestStringConvertible {
    let method: String
    let target: String
    var fields: [String] = []
    var body = ""
    var code = 200
    var type = "application/json; charset=utf-8"
    let answer: String

    var testDescription: String { "\(method) \(target) \(body)" }

    static let all: [Echo] = [
        Echo(method: "GET", target: "", answer: #"{"method":"GET","user":{"level":"anonymous"}}"#),
        Echo(
            method: "GET", target: "?x=1&y=a%20b%26&empty=&format=json&status=201", code: 201,
            answer: #"{"method":"GET","query":{"x":"1","y":"a b&","empty":""},"user":{"level":"anonymous"}}"#),
        Echo(
            method: "DELETE", target: "?x=1&x=2&x=3&status=500", code: 500,
            answer: #"{"method":"DELETE","query":{"x":["1","2","3"]},"user":{"level":"anonymous"}}"#),
        Echo(
            method: "POST", target: "?status=400", fields: json, body: #"{"a":[1,2.5],"b":null,"c":{}}"#, code: 400,
            answer: #"{"method":"POST","body":{"a":[1,2.5],"b":null,"c":{}},"user":{"level":"anonymous"}}"#),
        Echo(
            method: "PUT", target: "", fields: json, body: "[]",
            answer: #"{"method":"PUT","body":[],"user":{"level":"anonymous"}}"#),
        Echo(
            method: "PATCH", target: "", fields: json, body: "{}",
            answer: #"{"method":"PATCH","body":{},"user":{"level":"anonymous"}}"#),
        Echo(
            method: "POST", target: "", fields: ["Content-Type: text/plain"], body: #"a "b" {}"#,
            answer: #"{"method":"POST","body":"a \"b\" {}","user":{"level":"anonymous"}}"#),
        Echo(
            method: "POST", target: "", fields: ["Content-Type: text/xml"], body: "<a>1</a>",
            answer: #"{"method":"POST","body":"<a>1</a>","user":{"level":"anonymous"}}"#),
        Echo(
            method: "POST", target: "", body: #"{"a":1}"#,
            answer: #"{"method":"POST","body":{"a":1},"user":{"level":"anonymous"}}"#),
        Echo(
            method: "POST", target: "", body: "no JSON",
            answer: #"{"method":"POST","body":"no JSON","user":{"level":"anonymous"}}"#),
        Echo(
            method: "POST", target: "?format=xml&q=1", fields: json, body: #"{"b":[1,null,true],"a":"x","B":{"c":2}}"#,
            type: "text/xml; charset=utf-8",
            answer: "<root><body><B><c>2</c></B><a>x</a><b><array><item>1</item><item>null</item><item>true</item>"
                + "</array></b></body><method>POST</method><query><q>1</q></query><user><level>anonymous</level></user>"
                + "</root>"),
        Echo(
            method: "GET", target: "?format=text&q=%5B%7B%7D%5D", type: "text/plain; charset=utf-8",
            answer: #"__{__"method":"GET","query":__{__"q":"__[____{____}____]__"__}__,"#
                + #""user":__{__"level":"anonymous"__}____}__"#),
        Echo(
            method: "POST", target: "", fields: json, body: "{", code: 400,
            answer: errorBody("The body is not valid JSON: it ends too early at byte 1.")),
        Echo(
            method: "GET", target: "?status=100", code: 400,
            answer: errorBody("status has to be a number from 200 to 599.")),
        Echo(
            method: "GET", target: "?status=ok", code: 400,
            answer: errorBody("status has to be a number from 200 to 599.")),
    ]

    private static let json = ["Content-Type: application/json"]

    private static func errorBody(_ text: String) -> String { #"{"error":"\#(text)","message":"\#(text)"}"# }
}

@Suite struct `The echo APIs of the client suites` {
    @Test(arguments: TestDatabase.all)
    func `answer what they are asked, in the form and with the status that are asked for`(
        on database: TestDatabase
    ) async throws {
        try await TestServer.with(on: database) { server in
            let client = try WireClient(port: server.port)
            for echo in Echo.all {
                let response = try client.exchange(
                    echo.method, "/api/publicPermission" + echo.target, echo.body, echo.fields)
                #expect(response.code == echo.code, "\(echo.testDescription)")
                #expect(response["Content-Type"] == echo.type, "\(echo.testDescription)")
                #expect(response.textWithoutCode == echo.answer, "\(echo.testDescription)")
            }
        }
    }

    @Test func `copy the fields that the suites send, and no others`() async throws {
        try await TestServer.with(on: .sqlite) { server in
            let response = try WireClient(port: server.port).exchange(
                "GET", "/api/publicPermission", "", ["x-test-zumo-a: one", "X-Test-Zumo-B: two words", "x-test: no"])
            #expect(response["x-test-zumo-a"] == "one")
            #expect(response["x-test-zumo-b"] == "two words")
            #expect(response["x-test"] == nil)
        }
    }

    @Test func `answer a status that has no body without one`() async throws {
        try await TestServer.with(on: .sqlite) { server in
            let client = try WireClient(port: server.port)
            #expect(try client.exchange("GET", "/api/publicPermission?status=204").body.isEmpty)
            #expect(try client.exchange("GET", "/api/publicPermission?status=304").body.isEmpty)
            #expect(try client.exchange("GET", "/api/publicPermission").code == 200)
        }
    }

    @Test func `tell the user of a token under the name of the generation`() async throws {
        try await TestServer.with(on: .sqlite, lines: [APICaller.keys]) { server in
            let client = try WireClient(port: server.port)
            let token = "X-ZUMO-AUTH: \(try APICaller.token("sid:1"))"
            let second = try client.exchange("GET", "/api/userPermission", "", [token])
            #expect(second.text == #"{"method":"GET","user":{"level":"authenticated","userid":"sid:1"}}"#)
            let first = try client.exchange("GET", "/api/userPermission", "", [token, "X-ZUMO-APPLICATION: app"])
            #expect(first.text == #"{"method":"GET","user":{"level":"authenticated","userId":"sid:1"}}"#)
            let admin = try client.exchange("GET", "/api/adminPermission", "", ["X-ZUMO-MASTER: master"])
            #expect(admin.text == #"{"method":"GET","user":{"level":"admin"}}"#)
        }
    }
}
