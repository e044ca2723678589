import Exchanges
import HTTPModel
import JSONText
import Testing

@testable import TestMode

@Suite struct `A replay of an HTTP archive` {
    /// Answers of a server, one after the other, and the requests that it got.
    private final class Server {
        var answers: [HTTPResponse]
        var requests: [HTTPRequest] = []

        init(_ answers: [HTTPResponse]) {
            self.answers = answers
        }

        func replay(_ entries: [String], base: String? = nil, host: String? = "h:1") async throws -> ReplayReport {
            let replay = try HARReplay(Archive.text(entries), base: base, host: host)
            return await replay.run { request in
                self.requests.append(request)
                return self.answers.isEmpty ? Samples.answer(200) : self.answers.removeFirst()
            }
        }
    }

    private static func row(_ id: String, _ version: String, _ date: String, _ text: String = "tea") -> String {
        #"{"id":"\#(id)","createdAt":"\#(date)","updatedAt":"\#(date)","version":"\#(version)","text":"\#(text)"}"#
    }

    private static let oldID = "F0E1D2C3-B4A5-9687-7869-5A4B3C2D1E0F"
    private static let newID = "0b9e2c1c-35c4-4b7a-9d53-0a1b2c3d4e5f"
    private static let oldDate = "2014-05-06T07:08:09.123Z"
    private static let newDate = "2026-11-23T06:00:00.001Z"
    private static let oldRow = row(oldID, "AAAAAAAAB9E=", oldDate)
    private static let newRow = row(newID, "AAAAAAAAAAE=", newDate)

    @Test func `sends what the server made now in the place of what was made then`() async throws {
        let server = Server([
            Samples.answer(201, Self.newRow, [("ETag", "\"AAAAAAAAAAE=\"")]), Samples.answer(200, Self.newRow),
        ])
        let query = "?$filter=(updatedAt%20ge%20datetimeoffset'2014-05-06T07%3A08%3A09.1230000%2B00%3A00')"
        let report = try await server.replay([
            Archive.entry(
                "POST", "https://x.azure-mobile.net/tables/t", body: #"{"text":"tea"}"#, status: 201,
                answerHeaders: [("content-type", "application/json;charset=UTF-8"), ("etag", "\"AAAAAAAAB9E=\"")],
                answer: Self.oldRow),
            Archive.entry(
                "PATCH", "https://x.azure-mobile.net/tables/t/\(Self.oldID)?a=b#c",
                headers: [
                    ("If-Match", "\"AAAAAAAAB9E=\""), (":method", "PATCH"), ("Host", "x"), ("X-A", "AAAAAAAAB9E="),
                ],
                body: #"{"id":"\#(Self.oldID)", "n":1.50,"version":"AAAAAAAAB9E="}"#, answer: Self.oldRow),
            Archive.entry("GET", "/tables/t\(query)"),
            Archive.entry("GET", "/tables/t?$filter=id%20eq%20'\(Self.oldID)'&x=a+b"),
        ])
        #expect(report.replayed == 4 && report.same == 4, "\(report.different)")
        #expect(
            server.requests.map { String(decoding: $0.target, as: UTF8.self) } == [
                "/tables/t", "/tables/t/\(Self.newID)?a=b",
                "/tables/t?$filter=(updatedAt%20ge%20datetimeoffset'2026-11-23T06%3A00%3A00.0010000%2B00%3A00')",
                "/tables/t?$filter=id%20eq%20'\(Self.newID)'&x=a+b",
            ])
        let patch = server.requests[1]
        #expect(
            patch.fields.all.map { "\($0.name): \($0.value)" } == [
                "Host: h:1", "If-Match: \"AAAAAAAAAAE=\"", "X-A: AAAAAAAAB9E=",
            ])
        #expect(
            String(decoding: patch.body, as: UTF8.self) == #"{"id":"\#(Self.newID)","n":1.50,"version":"AAAAAAAAAAE="}"#
        )
    }

    @Test func `sends bodies without such values byte by byte`() async throws {
        let server = Server([])
        _ = try await server.replay([Archive.entry("POST", "/a", body: " {\"a\" : 1.0}\n")])
        #expect(server.requests[0].body == Array(" {\"a\" : 1.0}\n".utf8))
    }

    @Test func `follows the link that was answered now`() async throws {
        let server = Server([
            Samples.answer(200, "[]", [("Link", "http://h:1/tables/t?$skip=2&$skiptoken=new; rel=next")]),
            Samples.answer(200, #"{"items":[],"nextLink":"http://h:1/tables/t?$skip=4&$skiptoken=other"}"#),
            Samples.answer(200, #"{"nextLink":"%24skip=6&%24skiptoken=last"}"#),
        ])
        let report = try await server.replay([
            Archive.entry(
                "GET", "https://x/tables/t",
                answerHeaders: [
                    ("Content-Type", "application/json; charset=utf-8"),
                    ("Link", "<https://x/tables/t?$skip=50>; rel=next"),
                ], answer: "[]"),
            Archive.entry(
                "GET", "https://x/tables/t?$skip=50",
                answer: #"{"items":[],"nextLink":"https://x/tables/t?$skip=100"}"#),
            Archive.entry("GET", "https://x/tables/t?$skip=100", answer: #"{"nextLink":"%24skip=150"}"#),
            Archive.entry("GET", "https://x/tables/t?%24skip=150"),
        ])
        #expect(report.same == 4, "\(report.different)")
        #expect(
            server.requests.map { String(decoding: $0.target, as: UTF8.self) } == [
                "/tables/t", "/tables/t?$skip=2&$skiptoken=new", "/tables/t?$skip=4&$skiptoken=other",
                "/tables/t?%24skip=6&%24skiptoken=last",
            ])
    }

    @Test func `sends the token of a login that was answered now`() async throws {
        let server = Server([Samples.answer(200, #"{"authenticationToken":"a.b.d"}"#)])
        let report = try await server.replay([
            Archive.entry("POST", "/login/x", answer: #"{"authenticationToken":"a.b.c"}"#),
            Archive.entry("GET", "/a", headers: [("X-ZUMO-AUTH", "a.b.c"), ("Authorization", "Bearer a.b.c")]),
        ])
        #expect(report.same == 2)
        #expect(server.requests[1].fields["X-ZUMO-AUTH"] == "a.b.d")
        #expect(server.requests[1].fields["Authorization"] == "Bearer a.b.d")
    }

    @Test func `translates the numbers of rows, each in its table`() async throws {
        let server = Server([Samples.answer(201, #"{"id":1}"#), Samples.answer(201, #"{"id":"9"}"#)])
        let report = try await server.replay([
            Archive.entry("POST", "/tables/a", body: "{}", status: 201, answer: #"{"id":7}"#),
            Archive.entry("POST", "/tables/b", body: "{}", status: 201, answer: #"{"id":"7"}"#),
            Archive.entry("PATCH", "/tables/A/7", body: #"{"id":7,"n":7}"#),
            Archive.entry("PUT", "/tables/b/7", body: #"{"id":"7","n":"7"}"#),
            Archive.entry("GET", "/tables/c/7"),
        ])
        #expect(report.same == 5, "\(report.different)")
        let targets = server.requests.map { String(decoding: $0.target, as: UTF8.self) }
        #expect(targets == ["/tables/a", "/tables/b", "/tables/A/1", "/tables/b/9", "/tables/c/7"])
        #expect(String(decoding: server.requests[2].body, as: UTF8.self) == #"{"id":1,"n":7}"#)
        #expect(String(decoding: server.requests[3].body, as: UTF8.self) == #"{"id":"9","n":"7"}"#)
    }

    private static let differing: [(was: (Int, String), now: (Int, String), differences: [String])] = [
        (
            (412, #"{"text":"a"}"#), (200, #"{"text":"b"}"#),
            ["status: was 412, is 200", #"body /text: was "a", is "b""#]
        ),
        ((200, "[1,2]"), (200, "[1]"), ["body: was 2 elements, is 1 elements"]),
        ((200, #"{"a":{"b/c":[true]}}"#), (200, #"{"a":{"b/c":[false]}}"#), ["body /a/b~1c/0: was true, is false"]),
        ((200, #"{"a":1}"#), (200, #"{"b":2}"#), ["body /a: was 1, is absent", "body /b: was absent, is 2"]),
        ((200, #"{"a":null}"#), (200, "{}"), ["body /a: was null, is absent"]),
        ((200, #"{"a":1}"#), (200, #"{"a":"1"}"#), [#"body /a: was 1, is "1""#]),
        ((200, "text"), (200, "other"), ["body: was 'text', is 'other'"]),
        ((200, "{}"), (200, "no"), ["body: was '{}', is 'no'"]),
        ((200, ""), (200, "{}"), ["body: was empty, is '{}'"]),
        (
            (200, #"{"version":"1.0","__version":"AAAAAAAAB9E="}"#),
            (200, #"{"version":"1.1","__version":"AAAAAAAAAAE="}"#), [#"body /version: was "1.0", is "1.1""#]
        ),
        (
            (200, #"{"version":"AAAAAAAAB9E="}"#), (200, #"{"version":"1"}"#),
            [#"body /version: was "AAAAAAAAB9E=", eight bytes in Base64, is "1", a text"#]
        ),
        (
            (200, #"{"updatedAt":"2014-05-06T07:08:09.1234567Z"}"#),
            (200, #"{"updatedAt":"2026-05-06T07:08:09.123Z"}"#),
            [#"body /updatedAt: was "2014-05-06T07:08:09.1234567Z", is "2026-05-06T07:08:09.123Z""#]
        ),
        (
            (200, #"{"version":"AAAAAAAAB9E="}"#), (200, #"{"version":1}"#),
            [#"body /version: was "AAAAAAAAB9E=", is 1"#]
        ),
        (
            (200, #"[{"version":"AAAAAAAAB9E="},{"version":"AAAAAAAAB9I="}]"#),
            (200, #"[{"version":"AAAAAAAAAAE="},{"version":"AAAAAAAAAAE="}]"#),
            [#"body /1/version: was "AAAAAAAAB9I=", another than before, is "AAAAAAAAAAE=""#]
        ),
        (
            (200, #"[{"version":"AAAAAAAAB9E="},{"version":"AAAAAAAAB9E="}]"#),
            (200, #"[{"version":"AAAAAAAAAAE="},{"version":"AAAAAAAAAAI="}]"#),
            [#"body /1/version: was "AAAAAAAAB9E=", now "AAAAAAAAAAE=", is "AAAAAAAAAAI=""#]
        ),
    ]

    @Test(arguments: differing)
    func `says what differs`(was: (Int, String), now: (Int, String), differences: [String]) async throws {
        let report = try await Server([Samples.answer(now.0, now.1)]).replay([
            Archive.entry("GET", "https://x/a?b", status: was.0, answer: was.1)
        ])
        #expect(report.replayed == 1 && report.same == 0)
        #expect(report.different.first?.request == "GET /a?b")
        #expect(report.different.first?.differences == differences)
    }

    @Test(arguments: [
        (#"{"a":1,"b":[1.50,"x"]}"#, #" {"b":[1.5,"x"],"a":1.0}"#), (#"{"a":1e2}"#, #"{"a":100}"#),
        (#"{"id":"\#(oldID)"}"#, #"{"id":"\#(newID)"}"#),
        (
            #"{"__createdAt":"\#(oldDate)","__version":"AAAAAAAAB9E="}"#,
            #"{"__createdAt":"\#(newDate)","__version":"AAAAAAAAAAE="}"#
        ),
        (
            #"[{"id":"\#(oldID)"},{"of":"\#(oldID)","t":"row '\#(oldID)'"}]"#,
            #"[{"id":"\#(newID)"},{"of":"\#(newID)","t":"row '\#(newID)'"}]"#
        ),
        ("", ""), ("text", "text"), (#"{"a":1,"a":2}"#, #"{"a":2}"#), (#"{"id":5}"#, #"{"id":1}"#),
    ])
    func `takes answers for the same that mean the same`(was: String, now: String) async throws {
        let report = try await Server([Samples.answer(200, now)]).replay([
            Archive.entry("GET", "/tables/t", answer: was)
        ])
        #expect(report.same == 1, "\(report.different)")
    }

    @Test func `wants an id that the client chose to be the same`() async throws {
        let report = try await Server([Samples.answer(201, #"{"id":"b"}"#)]).replay([
            Archive.entry("POST", "/tables/t", body: #"{"id":"a"}"#, status: 201, answer: #"{"id":"a"}"#)
        ])
        #expect(report.different.first?.differences == [#"body /id: was "a", is "b""#])
    }

    @Test func `compares the type of content, but not how it is written`() async throws {
        func differences(_ was: [(String, String)]) async throws -> [String]? {
            try await Server([Samples.answer(200, "{}")]).replay([
                Archive.entry("GET", "/a", answerHeaders: was, answer: "{}")
            ]).different.first?.differences
        }
        #expect(try await differences([("content-type", "Application/JSON;charset=\"utf-8\"")]) == nil)
        #expect(
            try await differences([("Content-Type", "text/plain")])
                == ["Content-Type: was text/plain, is application/json; charset=utf-8"])
        #expect(try await differences([]) == ["Content-Type: was none, is application/json; charset=utf-8"])
        #expect(
            try await differences([("Content-Type", "application/json; charset=utf-8"), ("ETag", "\"x\"")])
                == ["ETag: was x, is absent"])
    }

    @Test func `compares no body that one of both has not got`() async throws {
        let stream = HTTPResponse(.ok, fields: Samples.answer(200).fields, body: .stream(ResponseStream { nil }))
        let report = try await Server([Samples.answer(200, "{}"), stream]).replay([
            Archive.entry("GET", "/a", answer: nil), Archive.entry("GET", "/a", answer: "{}"),
        ])
        #expect(report.same == 2, "\(report.different)")
    }

    @Test func `counts what was never answered, and sends it all the same`() async throws {
        let server = Server([])
        let report = try await server.replay([Archive.entry("POST", "/a", status: 0), Archive.entry("GET", "/b")])
        #expect(report.replayed == 2 && report.same == 1 && report.unanswered == 1)
        #expect(server.requests.count == 2)
    }

    @Test func `strips a base, and leaves out what lies elsewhere`() async throws {
        let server = Server([])
        let report = try await server.replay(
            [
                Archive.entry("GET", "https://x/my/app/tables/t?a"), Archive.entry("GET", "https://x/my/app"),
                Archive.entry("GET", "https://x/my/application"), Archive.entry("GET", "https://x/"),
                Archive.entry("GET", "https://x/my/app?b"), Archive.entry("GET", "data:text/plain,a"),
                Archive.entry("GET", "wss://x/my/app/socket"),
                Archive.entry("DELETE", "https://x/my/app/_test/requests"),
            ], base: "/my/app/")
        #expect(server.requests.map { String(decoding: $0.target, as: UTF8.self) } == ["/tables/t?a", "/", "/?b"])
        #expect(report.leftOut == 5)
    }

    @Test(arguments: [
        ("https://x", "/"), ("HTTP://x?a", "/?a"), ("https://x#f", "/"), ("https://u:p@x:8/a b#c", "/a%20b"),
        ("/a\n", "/a%0A"), ("https://x/%2F/ä", "/%2F/ä"),
    ])
    func `reads addresses as tools write them`(url: String, target: String) async throws {
        let server = Server([])
        _ = try await server.replay([Archive.entry("GET", url)])
        #expect(server.requests.map { String(decoding: $0.target, as: UTF8.self) } == [target])
    }

    @Test(
        arguments: [
            (#","postData":{"text":"//4=","encoding":"base64"}"#, [0xFF, 0xFE]),
            (#","postData":{"text":"//4=","_encoding":"base64"}"#, [0xFF, 0xFE]),
            (#","postData":{"text":"//\n4=\r\n","encoding":"Base64"}"#, [0xFF, 0xFE]),
            (#","postData":{"params":[{"name":"a b","value":"c&d"},{"name":"e"}]}"#, Array("a%20b=c%26d&e=".utf8)),
            (#","postData":{"text":"","params":[{"name":"a","value":"b"}]}"#, Array("a=b".utf8)),
            (#","postData":{"mimeType":"x","unknown":[{}]},"_more":1"#, []), (#","postData":null"#, []),
        ] as [(String, [UInt8])])
    func `reads bodies as tools write them`(members: String, body: [UInt8]) async throws {
        let server = Server([])
        _ = try await server.replay([Archive.entry("POST", "/a", request: members)])
        #expect(server.requests.map(\.body) == [body])
    }

    @Test func `leaves out a request whose body was cut`() async throws {
        let report = try await Server([]).replay([
            Archive.entry("POST", "/a", request: #","postData":{"text":"a","_cut":true}"#)
        ])
        #expect(report.replayed == 0 && report.leftOut == 1)
    }

    @Test func `of this server's own record is the same`() async throws {
        let record = Samples.record([
            Samples.exchange(
                "POST", "/tables/t", [("Host", "a:1")], "{\"x\":1}", answer: Samples.answer(201, Self.oldRow)),
            Samples.exchange("GET", "/tables/t/\(Self.oldID)", answer: Samples.answer(200, Self.oldRow)),
            Samples.exchange("GET", "/gone", answer: nil),
        ])
        let archive = try #require(try Samples.ask(record, "GET", "/har")).text
        let server = Server([Samples.answer(201, Self.newRow), Samples.answer(200, Self.newRow)])
        let report = await (try HARReplay(Array(archive.utf8))).run { request in
            server.requests.append(request)
            return server.answers.isEmpty ? Samples.answer(200) : server.answers.removeFirst()
        }
        #expect(report.same == 2 && report.unanswered == 1, "\(report.different)")
        #expect(server.requests[1].target == Array("/tables/t/\(Self.newID)".utf8))
    }
}
