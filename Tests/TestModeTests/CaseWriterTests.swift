import Exchanges
import HTTPModel
import Testing

@testable import TestMode

@Suite struct `The record as a golden case` {
    private static let version1 = "AAAAAAAAAAE="
    private static let version2 = "AAAAAAAAAAI="
    private static let date1 = "2026-11-23T06:00:00.001Z"
    private static let date2 = "2026-11-23T06:00:00.002Z"
    private static let id = "0b9e2c1c-35c4-4b7a-9d53-0a1b2c3d4e5f"
    private static let host: (HTTPFieldName, String) = ("Host", "127.0.0.1:5000")

    private static func row(_ version: String, _ date: String, id: String = id) -> String {
        #"{"id":"\#(id)","createdAt":"\#(date1)","updatedAt":"\#(date)","version":"\#(version)","text":"tea"}"#
    }

    private static func text(_ exchanges: [Exchange]) -> String {
        CaseWriter.text(Samples.record(exchanges).all, sentence: "What\nit shows.")
    }

    @Test func `has placeholders for what the server made, wherever it occurs again`() {
        let location = "http://127.0.0.1:5000/tables/todo/\(Self.id)"
        let ticks = "2026-11-23T06%3A00%3A00.0020000%2B00%3A00"
        let encoded = "2026-11-23T06%3A00%3A00.001Z"
        let text = Self.text([
            Samples.exchange(
                "POST", "/tables/todo", [Self.host, ("Content-Length", "14"), ("X-A", "b")], #"{"text":"tea"}"#,
                answer: Samples.answer(
                    201, Self.row(Self.version1, Self.date1),
                    [
                        ("ETag", "\"\(Self.version1)\""), ("Location", location), ("X-Request-Id", "r"),
                        ("Vary", "Origin, Accept-Encoding"),
                    ])),
            Samples.exchange(
                "PATCH", "/tables/todo/\(Self.id)", [Self.host, ("If-Match", "\"\(Self.version1)\"")],
                #"{"text":"milk"}"#,
                answer: Samples.answer(200, Self.row(Self.version2, Self.date2))),
            Samples.exchange(
                "GET",
                "/tables/todo?$filter=updatedAt%20ge%20'\(ticks)'%20or%20createdAt%20lt%20'\(encoded)'",
                [Self.host],
                answer: Samples.answer(200, "[\(Self.row(Self.version2, Self.date2))]")),
        ])
        let row =
            #"{"id":"{uuid1}","createdAt":"{date1}","updatedAt":"{date2}","version":"{version2}","text":"tea"}"#
        #expect(
            text == #"""
                # What it shows.

                >>>
                POST /tables/todo
                X-A: b

                {"text":"tea"}
                <<<
                201 Created
                Content-Type: application/json; charset=utf-8
                ETag: "{version1}"
                Location: http://{host}/tables/todo/{uuid1}

                {"id":"{uuid1}","createdAt":"{date1}","updatedAt":"{date1}","version":"{version1}","text":"tea"}

                >>>
                PATCH /tables/todo/{uuid1}
                If-Match: "{version1}"

                {"text":"milk"}
                <<<
                200 OK
                Content-Type: application/json; charset=utf-8

                \#(row)

                >>>
                GET /tables/todo?$filter=updatedAt%20ge%20'{date2 ticks}'%20or%20createdAt%20lt%20'{date1 encoded}'
                <<<
                200 OK
                Content-Type: application/json; charset=utf-8

                [\#(row)]

                """#)
    }

    @Test func `keeps ids that the client chose`() {
        let text = Self.text([
            Samples.exchange(
                "POST", "/tables/todo", [], #"{"id":"\#(Self.id)"}"#,
                answer: Samples.answer(201, Self.row(Self.version1, Self.date1)))
        ])
        #expect(text.components(separatedBy: Self.id).count == 3)
        #expect(!text.contains("{uuid"))
    }

    @Test func `keeps times and texts that only look like the server's`() {
        let body = #"{"due":"2020-01-01T00:00:00.000Z","name":"AAAAAAAAAAE=","ref":"\#(Self.id)"}"#
        #expect(Self.text([Samples.exchange("GET", "/api/x", answer: Samples.answer(200, body))]).contains(body))
    }

    @Test func `has different placeholders for one time in two tables`() {
        let answer = Samples.answer(200, Self.row(Self.version1, Self.date1))
        let other = Samples.answer(200, Self.row(Self.version2, Self.date1))
        let text = Self.text([
            Samples.exchange("GET", "/tables/a/1", answer: answer),
            Samples.exchange("GET", "/tables/b/1", answer: other),
        ])
        #expect(text.contains(#""updatedAt":"{date1}","version":"{version1}""#))
        #expect(text.contains(#""updatedAt":"{date2}","version":"{version2}""#))
    }

    @Test func `has the time of a last change with the version that it is of`() {
        let second: (HTTPFieldName, String) = ("Last-Modified", "Mon, 23 Nov 2026 06:00:00 GMT")
        func answer(_ version: String) -> HTTPResponse {
            Samples.answer(200, "{}", [("ETag", "\"\(version)\""), second])
        }
        let text = Self.text([
            Samples.exchange("GET", "/tables/a/1", answer: answer(Self.version1)),
            Samples.exchange("GET", "/tables/a/2", answer: answer(Self.version2)),
            Samples.exchange("GET", "/tables/a/1", answer: answer(Self.version1)),
            Samples.exchange("GET", "/tables/a/1", [("If-Modified-Since", second.1)], answer: answer(Self.version1)),
        ])
        #expect(text.components(separatedBy: "Last-Modified: {second1}").count == 4)
        #expect(text.components(separatedBy: "Last-Modified: {second2}").count == 2)
        #expect(text.contains("If-Modified-Since: {second1}"))
    }

    @Test func `follows links and logins by their tokens`() {
        let link = "http://127.0.0.1:5000/tables/a?$skip=2&$skiptoken=AbC-_123456; rel=next"
        let text = Self.text([
            Samples.exchange("GET", "/tables/a", [Self.host], answer: Samples.answer(200, "[]", [("Link", link)])),
            Samples.exchange("GET", "/tables/a?$skip=2&$skiptoken=AbC-_123456"),
            Samples.exchange("GET", "/tables/a?$skip=2&$skiptoken=AbC-_1234567"),
            Samples.exchange(
                "POST", "/login/x",
                answer: Samples.answer(200, #"{"authenticationToken":"eyJhbGciOi.eyJzdWIiOi.c2lnbmF0dXJl"}"#)),
            Samples.exchange("GET", "/tables/b", [("X-ZUMO-AUTH", "eyJhbGciOi.eyJzdWIiOi.c2lnbmF0dXJl")]),
        ])
        #expect(text.contains("Link: http://{host}/tables/a?$skip=2&$skiptoken={token1}; rel=next"))
        #expect(text.contains("GET /tables/a?$skip=2&$skiptoken={token1}\n"))
        #expect(text.contains("$skiptoken=AbC-_1234567\n"))
        #expect(text.contains("X-ZUMO-AUTH: {token2}.{token3}.{token4}\n"))
    }

    @Test func `leaves the code of failures to other tests`() {
        let failure = #"{"error":"No.","message":"No.","code":"row-not-found"}"#
        let text = Self.text([Samples.exchange("GET", "/tables/a/1", answer: Samples.answer(404, failure))])
        #expect(text.contains(#"{"error":"No.","message":"No."}"#))
    }

    @Test(
        arguments: [
            ("GET", "/a", "X: 1", "", "fault", true), ("GET", "/a\u{1}", "", "", nil, true),
            ("GET", "", "", "", nil, true),
            ("POST", "/a", "", "x\n<<<y", nil, true), ("POST", "/a", "", "x>>>", nil, true),
            ("POST", "/a", "", "x>>>\ny", nil, true), ("POST", "/a", "", "{host}", nil, true),
            ("POST", "/a", "", "\u{0}", nil, true), ("POST", "/a", "", "x >>> y", nil, false),
            ("POST", "/a", "", "{hosts", nil, true), ("POST", "/a", "", #"{"host":1}"#, nil, false),
            ("POST", "/a", "", "x\r\n\r\ny\r\n", nil, false),
        ] as [(String, String, String, String, String?, Bool)])
    func `leaves out what the format can't say, and says so`(
        method: String, target: String, field: String, body: String, fault: String?, isLeftOut: Bool
    ) {
        let text = Self.text([
            Samples.exchange("GET", "/before"), Samples.exchange(method, target, [], body, fault: fault),
        ])
        #expect(text.contains("# Left out: request 2") == isLeftOut, "\(text)")
        #expect(text.components(separatedBy: "\n>>>\n").count == (isLeftOut ? 2 : 3))
    }

    @Test(arguments: [[0xFF], [0x7B, 0x7D, 0x0A], [0x3E, 0x3E, 0x3E]] as [[UInt8]])
    func `expects the status alone of an answer that the format can't say`(body: [UInt8]) {
        let answer = HTTPResponse(.created, body: body)
        let text = Self.text([Samples.exchange("POST", "/a", answer: answer), Samples.exchange("HEAD", "/a")])
        #expect(text.hasSuffix("\n>>>\nPOST /a\n<<< 201\n\n>>>\nHEAD /a\n<<< 200\n"), "\(text)")
    }

    @Test func `a field's value that would end its line leaves the request out`() {
        var exchange = Samples.exchange("GET", "/a")
        exchange.fields.append(name: Array("X".utf8).span, value: Array("a\nGET /evil".utf8).span)
        #expect(Self.text([exchange]).contains("# Left out: request 1"))
    }

    @Test func `names twenty of what is left out and counts the rest`() {
        let text = Self.text((0..<30).map { _ in Samples.exchange("GET", "/a", answer: nil) })
        #expect(text.components(separatedBy: "# Left out").count == 22)
        #expect(text.contains("# Left out: 10 more."))
    }

    @Test func `a fault's name breaks out of no line`() {
        let text = Self.text([Samples.exchange("GET", "/a", fault: "x\n>>>\nGET /evil")])
        #expect(!text.contains("\n>>>"))
    }

    @Test func `is told as text with the sentence that was asked for`() throws {
        let record = Samples.record([Samples.exchange("GET", "/a")])
        let answer = try #require(try Samples.ask(record, "GET", "/case?sentence=A%20sentence%0A%3E%3E%3E&method=GET"))
        #expect(answer.code == 200 && answer.fields["Content-Type"] == "text/plain; charset=utf-8")
        #expect(answer.text.hasPrefix("# A sentence \n\n>>>\nGET /a\n"), "\(answer.text)")
    }
}

extension String {
    fileprivate func components(separatedBy text: String) -> [Substring] {
        split(separator: text, omittingEmptySubsequences: false)
    }
}
