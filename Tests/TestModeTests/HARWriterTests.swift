import Exchanges
import HTTPModel
import JSONText
import Testing

@testable import TestMode

@Suite struct `The record as an HTTP archive` {
    private static func document(_ exchanges: [Exchange], _ query: String = "") throws -> JSONValue {
        let answer = try #require(try Samples.ask(Samples.record(exchanges), "GET", "/har\(query)"))
        #expect(answer.code == 200)
        #expect(answer.fields["Content-Disposition"] == "attachment; filename=\"zumod-requests.har\"")
        return try #require(answer.json)
    }

    private static func entry(_ exchange: Exchange, _ query: String = "?redact=false") throws -> JSONValue {
        try #require(try document([exchange], query)["log"]?["entries"]?.elements?.first)
    }

    /// The members that HAR 1.2 wants, with the kind of each.
    private static let mandatory: [(path: [String], kind: String)] = [
        (["startedDateTime"], "text"), (["time"], "number"), (["cache"], "object"), (["request", "method"], "text"),
        (["request", "url"], "text"), (["request", "httpVersion"], "text"), (["request", "cookies"], "list"),
        (["request", "headers"], "list"), (["request", "queryString"], "list"), (["request", "headersSize"], "number"),
        (["request", "bodySize"], "number"), (["response", "status"], "number"), (["response", "statusText"], "text"),
        (["response", "httpVersion"], "text"), (["response", "cookies"], "list"), (["response", "headers"], "list"),
        (["response", "redirectURL"], "text"), (["response", "headersSize"], "number"),
        (["response", "bodySize"], "number"), (["response", "content", "size"], "number"),
        (["response", "content", "mimeType"], "text"), (["timings", "send"], "number"),
        (["timings", "wait"], "number"),
        (["timings", "receive"], "number"),
    ]

    private static func kind(_ value: JSONValue?) -> String {
        switch value {
        case .string: "text"
        case .array: "list"
        case .object: "object"
        case let value?: value.numberValue == nil ? "another" : "number"
        case nil: "none"
        }
    }

    @Test(arguments: [
        Samples.exchange("GET", "/tables/a"), Samples.exchange("POST", "/a", [], "x", answer: nil),
        Samples.exchange("DELETE", "", answer: Samples.answer(204)),
    ])
    func `has every member that the format wants`(exchange: Exchange) throws {
        let log = try #require(try Self.document([exchange])["log"])
        #expect(log["version"] == "1.2")
        #expect(log["creator"]?["name"] == "zumod" && log["creator"]?["version"] == "1.2.3")
        let entry = try #require(log["entries"]?.elements?.first)
        for (path, kind) in Self.mandatory {
            let value = path.reduce(entry as JSONValue?) { $0?[$1] }
            #expect(Self.kind(value) == kind, "\(path)")
        }
    }

    @Test func `of nothing is a document without entries`() throws {
        #expect(try Self.document([])["log"]?["entries"] == [])
    }

    @Test func `has an exchange as it was`() throws {
        let entry = try Self.entry(
            Samples.exchange(
                "POST", "/tables/t?a=b%20c&d", [("Host", "h:1"), ("Content-Type", "text/x"), ("Cookie", "a=b; c=d=e")],
                "bödy",
                answer: Samples.answer(201, "{}", [("Location", "http://h:1/x"), ("Set-Cookie", "s=1; Path=/")]),
                fault: "slow", start: 1_000))
        #expect(entry["startedDateTime"] == "1970-01-01T00:00:01.000Z")
        #expect(entry["time"] == 2 && entry["timings"]?["wait"] == 2 && entry["_fault"] == "slow")
        let request = try #require(entry["request"])
        #expect(request["url"] == "http://h:1/tables/t?a=b%20c&d")
        #expect(request["queryString"] == [["name": "a", "value": "b c"], ["name": "d", "value": ""]])
        #expect(request["cookies"] == [["name": "a", "value": "b"], ["name": "c", "value": "d=e"]])
        #expect(request["postData"] == ["mimeType": "text/x", "params": [], "text": "bödy"])
        #expect(request["bodySize"] == 5)
        let response = try #require(entry["response"])
        #expect(response["status"] == 201 && response["statusText"] == "Created")
        #expect(response["redirectURL"] == "http://h:1/x")
        #expect(response["cookies"] == [["name": "s", "value": "1"]])
        #expect(
            response["content"] == ["size": 2, "mimeType": "application/json; charset=utf-8", "text": "{}"])
    }

    @Test func `has bodies that are no text in Base64`() throws {
        var exchange = Samples.exchange("POST", "/a")
        exchange.body = RecordedBody([0xFF])
        exchange.answer?.body = RecordedBody([0])
        let entry = try Self.entry(exchange)
        #expect(entry["request"]?["postData"]?["text"] == "/w==")
        #expect(entry["request"]?["postData"]?["_encoding"] == "base64")
        #expect(entry["response"]?["content"]?["text"] == "AA==")
        #expect(entry["response"]?["content"]?["encoding"] == "base64")
    }

    @Test func `marks what was streamed, cut or never answered`() throws {
        var exchange = Samples.exchange("POST", "/a", [], String(repeating: "a", count: 2 << 20))
        exchange.answer?.body = RecordedBody(.stream(ResponseStream { nil }))
        let entry = try Self.entry(exchange)
        #expect(entry["request"]?["postData"]?["_cut"] == true && entry["request"]?["bodySize"] == 2_097_152)
        #expect(entry["response"]?["content"]?["_streamed"] == true)
        let cut = try Self.entry(Samples.exchange("GET", "/", answer: nil))
        #expect(cut["response"]?["status"] == 0)
    }

    @Test func `leaves out what callers are told by, unless that is asked for`() throws {
        let names: [HTTPFieldName] = [
            "Authorization", "x-zumo-auth", "X-ZUMO-APPLICATION", "X-ZUMO-MASTER", "Cookie",
        ]
        let exchange = Samples.exchange(
            "GET", "/a", names.map { ($0, "s=secret") } + [("X-Other", "kept")],
            answer: Samples.answer(200, "", [("Set-Cookie", "s=secret")]))
        for (query, isRedacted) in [("?redact=true", true), ("?redact=false", false), ("", true)] {
            let answer = try #require(try Samples.ask(Samples.record([exchange]), "GET", "/har\(query)"))
            #expect(answer.text.contains("secret") == !isRedacted)
            #expect(answer.text.contains("kept"))
        }
    }

    @Test func `takes the filters of the list`() throws {
        let exchanges = [Samples.exchange("GET", "/a"), Samples.exchange("POST", "/b")]
        let entries = try Self.document(exchanges, "?method=POST")["log"]?["entries"]?.elements
        #expect(entries?.map { $0["_number"] } == [2])
    }
}
