import Exchanges
import HTTPModel
import JSONText
import Scalars
import Testing

@testable import TestMode

@Suite struct `The routes of the record` {
    private static func sample() -> ExchangeRecord {
        Samples.record([
            Samples.exchange("POST", "/tables/TodoItem", [], "{}", answer: Samples.answer(201), start: 1_000),
            Samples.exchange("PATCH", "/tables/todoitem/1", answer: Samples.answer(412), start: 2_000),
            Samples.exchange("GET", "/tables/other?x=1", answer: nil, fault: "cut", start: 3_000),
            Samples.exchange("DELETE", "/tables/other/a%20b", answer: Samples.answer(503), fault: "busy", start: 4_000),
            Samples.exchange("GET", "/api/hello", start: 5_000),
        ])
    }

    @Test(arguments: [
        ("", [1, 2, 3, 4, 5]), ("?method=GET", [3, 5]), ("?method=get,delete", [3, 4, 5]), ("?status=412", [2]),
        ("?status=4xx,5XX", [2, 4]), ("?status=none", [3]), ("?status=none,200", [3, 5]), ("?table=TODOITEM", [1, 2]),
        ("?table=none", []), ("?fault=busy", [4]), ("?fault=*", [3, 4]), ("?fault=", [1, 2, 5]), ("?limit=2", [4, 5]),
        ("?limit=0", []), ("?since=3", [4, 5]), ("?since=1970-01-01T00:00:03Z", [3, 4, 5]), ("?path=/api/*", [5]),
        ("?path=/tables/**&limit=1", [4]), ("?path=/tables/*/a%20b", [4]), ("?method=GET&fault=cut&status=none", [3]),
        ("?since=99999999999", []), ("?method=", [1, 2, 3, 4, 5]),
    ])
    func `list what a filter lets through, the newest last`(query: String, numbers: [Int64]) throws {
        let list = try #require(try Samples.ask(Self.sample(), "GET", query))
        #expect(list.code == 200)
        #expect(list.json?["requests"]?.elements?.map { $0["number"]?.integerValue } == numbers)
        #expect(list.json?["count"]?.integerValue == Int64(numbers.count))
        let count = try #require(try Samples.ask(Self.sample(), "GET", "/count\(query)"))
        #expect(count.text == "{\"count\":\(numbers.count)}")
    }

    @Test(arguments: [
        ("?limit=x", "'limit'"), ("?limit=-1", "'limit'"), ("?status=40", "'status'"), ("?status=6xx", "'status'"),
        ("?status=4x", "'status'"), ("?since=soon", "'since'"), ("?methods=GET", "'methods'"),
        ("?redact=yes", "redact"),
        ("/har?redact=yes", "'redact'"), ("?limit=1e400", "'limit'"), ("?limit=99999999999999999999", "'limit'"),
        ("?path=\(String(repeating: "a", count: 2_000))", "'path'"),
    ])
    func `name a parameter that is none`(query: String, words: String) throws {
        let answer = try #require(try Samples.ask(Self.sample(), "GET", query))
        #expect(answer.code == 400)
        #expect(answer.json?["code"] == "query-invalid")
        #expect(answer.json?["error"]?.textValue?.contains(words) == true)
    }

    @Test(arguments: ["", "/1", "/har", "/case"])
    func `show no key, no token and no password unless they are asked for`(path: String) throws {
        let record = Samples.record([
            Samples.exchange(
                "POST", "/login/x?code=c-secret&a=kept",
                [("X-ZUMO-MASTER", "k-secret"), ("Authorization", "Bearer b-secret"), ("X-Own", "kept")],
                answer: Samples.answer(200, "{\"authenticationToken\":\"t-secret\"}", [("Set-Cookie", "s-secret")]))
        ])
        let shown = try #require(try Samples.ask(record, "GET", path))
        #expect(!shown.text.contains("secret") && shown.text.contains("kept"))
        let whole = try #require(try Samples.ask(record, "GET", "\(path)?redact=false"))
        #expect(whole.text.contains("k-secret") && whole.text.contains("c-secret") && whole.text.contains("kept"))
    }

    @Test func `show one exchange whole`() throws {
        let request = Samples.request(
            "PATCH", "/tables/t/1?x=%22", [("If-Match", "\"a\\b\"\n\u{1F}"), ("x-b", "ü")], "{\"a\":\"\\\"\"}")
        let record = Samples.record([
            Exchange(
                request, id: "r\"1", start: .init(milliseconds: 1_500), duration: .microseconds(1_250),
                answer: Samples.answer(200, "{}"), fault: "slow")
        ])
        let shown = try #require(try Samples.ask(record, "GET", "/1"))
        #expect(
            shown.text == #"""
                {"number":1,"id":"r\"1","start":"1970-01-01T00:00:01.500Z","milliseconds":1.25,"peer":"127.0.0.1",\#
                "method":"PATCH","target":"/tables/t/1?x=%22","table":"t","fault":"slow",\#
                "request":{"headers":[{"name":"If-Match","value":"\"a\\b\"  "},{"name":"x-b","value":"ü"}],\#
                "body":{"bytes":10,"text":"{\"a\":\"\\\"\"}"}},\#
                "response":{"status":200,\#
                "headers":[{"name":"Content-Type","value":"application/json; charset=utf-8"}],\#
                "body":{"bytes":2,"text":"{}"}}}
                """#)
        #expect(shown.fields["Content-Type"] == "application/json; charset=utf-8")
    }

    @Test func `show bodies that are no text in Base64, and answers that were not sent as null`() throws {
        var exchange = Samples.exchange("POST", "/a", answer: nil)
        exchange.body = RecordedBody([0xFF, 0xFE, 0x00, 0x41])
        let shown = try #require(try Samples.ask(Samples.record([exchange]), "GET", "/1")?.json)
        #expect(shown["request"]?["body"]?["base64"] == "//4AQQ==")
        #expect(shown["response"] == .null)
    }

    @Test(arguments: ["/9", "/0", "/-1"])
    func `know no exchange of another number`(path: String) throws {
        let answer = try #require(try Samples.ask(Self.sample(), "GET", path))
        #expect(answer.code == 404)
        #expect(answer.json?["code"] == "request-unknown")
    }

    @Test(arguments: ["/what", "/1/2", "/har/x", "/99999999999999999999"])
    func `have nothing elsewhere`(path: String) throws {
        #expect(try Samples.ask(Self.sample(), "GET", path) == nil)
    }

    @Test(arguments: [
        ("POST", "", "GET, HEAD, DELETE"), ("DELETE", "/1", "GET, HEAD"), ("GET", "/verify", "POST"),
        ("POST", "/har", "GET, HEAD"), ("PUT", "/case", "GET, HEAD"), ("PATCH", "/count", "GET, HEAD"),
    ])
    func `refuse other methods`(method: String, path: String, allow: String) throws {
        let answer = try #require(try Samples.ask(Self.sample(), method, path))
        #expect(answer.code == 405)
        #expect(answer.fields["Allow"] == allow)
    }

    @Test func `empty the record`() throws {
        let record = Self.sample()
        #expect(try #require(try Samples.ask(record, "DELETE", "")).code == 204)
        #expect(record.all.isEmpty)
    }

    @Test func `say how many are forgotten`() throws {
        let record = ExchangeRecord(ExchangeRecord.Limits(count: 2))
        for _ in 0..<5 { record.append(Samples.exchange("GET", "/a")) }
        let list = try #require(try Samples.ask(record, "GET", "")?.json)
        #expect(list["forgotten"] == 3 && list["count"] == 2)
    }
}
