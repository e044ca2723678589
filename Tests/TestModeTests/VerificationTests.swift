import Exchanges
import HTTPModel
import JSONText
import Testing

@testable import TestMode

@Suite struct `Verification of requests` {
    private static func sample() -> ExchangeRecord {
        Samples.record([
            Samples.exchange("POST", "/tables/todoitem", [("X-A", "1"), ("X-A", "2")], #"{"text":"tea","n":1}"#),
            Samples.exchange("PATCH", "/tables/todoitem/1", [("If-Match", "\"AAAAAAAAAAE=\"")], #"{"text":"milk"}"#),
            Samples.exchange("PATCH", "/tables/todoitem/2", [], #"{"text":"milk"}"#),
        ])
    }

    @Test(arguments: [
        ("{}", 3), (#"{"method":"PATCH"}"#, 2), (#"{"method":"PATCH","times":2}"#, 2),
        (#"{"method":"PUT","times":0}"#, 0), (#"{"path":"/tables/*/1"}"#, 1), (#"{"path":"/tables/**"}"#, 3),
        (#"{"headers":{"if-match":"\"AAAAAAAAAAE=\""}}"#, 1), (#"{"headers":{"If-Match":{"contains":"AAE"}}}"#, 1),
        (#"{"headers":{"If-Match":{"absent":true}}}"#, 2), (#"{"headers":{"If-Match":{"absent":false}}}"#, 1),
        (#"{"headers":{"X-A":"2"}}"#, 1), (#"{"headers":{"X-A":{"equals":"1"}}}"#, 1),
        (#"{"bodyContains":"milk"}"#, 2), (#"{"bodyContains":["tea","\"n\":1"]}"#, 1), (#"{"bodyContains":[]}"#, 3),
        (#"{"times":{"atLeast":3}}"#, 3), (#"{"times":{"atMost":3}}"#, 3), (#"{"times":{"atLeast":1,"atMost":3}}"#, 3),
        (#"{"times":3.0}"#, 3), (#"{"method":"PUT","times":{"atMost":0}}"#, 0),
    ])
    func `counts the requests that are as expected`(body: String, matches: Int) throws {
        let answer = try #require(try Samples.ask(Self.sample(), "POST", "/verify", body))
        #expect(answer.code == 200)
        #expect(answer.text == "{\"matches\":\(matches)}")
    }

    @Test func `says what the nearest requests had instead`() throws {
        let body = #"{"method":"PATCH","path":"/tables/todoitem/1","headers":{"If-Match":"x"},"bodyContains":"milk"}"#
        let answer = try #require(try Samples.ask(Self.sample(), "POST", "/verify", body))
        #expect(answer.code == 422)
        #expect(
            answer.text == #"""
                {"error":"Expected at least 1 of such requests, and found 0.",\#
                "message":"Expected at least 1 of such requests, and found 0.","code":"verification-failed",\#
                "matches":0,"expected":"at least 1","nearest":[\#
                {"number":2,"method":"PATCH","path":"/tables/todoitem/1","differences":[\#
                "header If-Match: expected x, was \"AAAAAAAAAAE=\""]},\#
                {"number":3,"method":"PATCH","path":"/tables/todoitem/2","differences":[\#
                "path: expected /tables/todoitem/1, was /tables/todoitem/2",\#
                "header If-Match: expected x, was absent"]},\#
                {"number":1,"method":"POST","path":"/tables/todoitem","differences":[\#
                "method: expected PATCH, was POST","path: expected /tables/todoitem/1, was /tables/todoitem",\#
                "header If-Match: expected x, was absent",\#
                "body: expected to contain 'milk', was '{\"text\":\"tea\",\"n\":1}'"]}]}
                """#)
    }

    @Test(arguments: [
        (#"{"times":1}"#, "exactly 1", 3), (#"{"times":{"atLeast":4}}"#, "at least 4", 3),
        (#"{"times":{"atMost":1}}"#, "at most 1", 3),
        (#"{"times":{"atLeast":4,"atMost":5}}"#, "at least 4 and at most 5", 3),
        (#"{"times":{"atLeast":5,"atMost":4}}"#, "at least 5 and at most 4", 3), (#"{"times":0}"#, "exactly 0", 3),
        (#"{"method":"PATCH","times":1}"#, "exactly 1", 2),
        (#"{"headers":{"X-A":{"absent":true,"contains":"x"}}}"#, "at least 1", 0),
    ])
    func `fails where there are too many or too few`(body: String, expected: String, matches: Int64) throws {
        let answer = try #require(try Samples.ask(Self.sample(), "POST", "/verify", body))
        #expect(answer.code == 422)
        #expect(answer.json?["expected"]?.textValue == expected)
        #expect(answer.json?["matches"]?.integerValue == matches)
        #expect(answer.json?["nearest"]?.elements?.count == 3)
    }

    @Test(arguments: [
        ("{", "not valid JSON"), ("", "not valid JSON"), ("[]", "one JSON object"), (#"{"Method":"GET"}"#, "'Method'"),
        (#"{"method":1}"#, "'method'"), (#"{"path":null}"#, "'path'"), (#"{"headers":[]}"#, "'headers'"),
        (#"{"headers":{"A":1}}"#, "'headers.A'"), (#"{"headers":{"A":{}}}"#, "'headers.A'"),
        (#"{"headers":{"A":{"is":"x"}}}"#, "'headers.A.is'"), (#"{"headers":{"A":{"absent":1}}}"#, "headers.A.absent"),
        (#"{"bodyContains":1}"#, "bodyContains"), (#"{"bodyContains":["a",1]}"#, "bodyContains"),
        (#"{"times":-1}"#, "'times'"), (#"{"times":1.5}"#, "'times'"), (#"{"times":1e300}"#, "'times'"),
        (#"{"times":1e400}"#, "number out of range"), (#"{"times":{"exactly":1}}"#, "'times.exactly'"),
        (#"{"times":{"atLeast":"1"}}"#, "'times.atLeast'"),
        (#"{"bodyContains":[\#(Array(repeating: "\"a\"", count: 65).joined(separator: ","))]}"#, "more than 64"),
        (String(repeating: "[", count: 100), "deeper than 64"),
        (#"{"\#(String(repeating: "x", count: 500))":1}"#, "…'"),
    ])
    func `names what is wrong with an expectation`(body: String, words: String) throws {
        let answer = try #require(try Samples.ask(Self.sample(), "POST", "/verify", body))
        #expect(answer.code == 400)
        #expect(answer.json?["code"] == "body-malformed")
        #expect(answer.json?["error"]?.textValue?.contains(words) == true, "\(answer.text)")
    }

    @Test func `an empty record matches nothing`() throws {
        let answer = try #require(try Samples.ask(ExchangeRecord(), "POST", "/verify", "{}"))
        #expect(answer.code == 422)
        #expect(answer.json?["nearest"] == [])
    }

    @Test func `broken UTF-8 in bodies is compared byte by byte, and not shown`() throws {
        var exchange = Samples.exchange("POST", "/a")
        exchange.body = RecordedBody([0xFF] + Array("milk".utf8) + [0xC3])
        let record = Samples.record([exchange])
        #expect(try Samples.ask(record, "POST", "/verify", #"{"bodyContains":"milk"}"#)?.code == 200)
        let answer = try #require(try Samples.ask(record, "POST", "/verify", #"{"bodyContains":"tea"}"#))
        #expect(answer.text.contains("was 6 bytes that are no text"))
    }
}
