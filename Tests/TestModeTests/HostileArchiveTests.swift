import HTTPModel
import JSONText
import Testing

@testable import TestMode

@Suite struct `Archives that are none` {
    private static func answer(_ body: [UInt8], query: String = "", method: String = "POST") async throws
        -> (code: Int, json: JSONValue?, requests: Int)
    {
        var request = Samples.request(method, "/_test/replay\(query)")
        request.body = body
        var requests = 0
        let response = await HARReplay.answer(request, at: try RequestTarget(request.target)) { _ in
            requests += 1
            return Samples.answer(200)
        }
        return (response.status.rawValue, try? JSONReader.parse(response.body.joined ?? []), requests)
    }

    private static let good = Archive.entry("GET", "/a")

    @Test(arguments: [
        ("", "not valid JSON"), ("{", "not valid JSON"), ("[]", "the document is no object"), ("{}", "log is missing"),
        (#"{"log":1}"#, "log is no object"), (#"{"log":{}}"#, "log.entries is missing"),
        (#"{"log":{"entries":{}}}"#, "log.entries is no list"),
        (#"{"log":{"entries":[\#(good),1]}}"#, "log.entries[1] is no object"),
        (#"{"log":{"entries":[{}]}}"#, "log.entries[0].request is missing"),
        (#"{"log":{"entries":[{"request":{}}]}}"#, "log.entries[0].request.method is missing"),
        (#"{"log":{"entries":[{"request":{"method":"A B"}}]}}"#, "log.entries[0].request.method is no method"),
        (#"{"log":{"entries":[{"request":{"method":"A"}}]}}"#, "log.entries[0].request.url is missing"),
        (#"{"log":{"entries":[{"request":{"method":"A","url":"a"}}]}}"#, "url is neither an absolute URL nor a path"),
        (#"{"log":{"entries":[{"request":{"method":"A","url":1}}]}}"#, "url is no text"),
        (#"{"log":{"entries":[{"request":{"method":"A","url":"/"}}]}}"#, "log.entries[0].response is missing"),
        (#"{"log":{"entries":[{"request":{"method":"A","url":"/"},"response":{}}]}}"#, "response.status is missing"),
        (
            #"{"log":{"entries":[{"request":{"method":"A","url":"/"},"response":{"status":1e9}}]}}"#,
            "response.status is no status"
        ),
        (
            #"{"log":{"entries":[{"request":{"method":"A","url":"/"},"response":{"status":1e400}}]}}"#,
            "number out of range"
        ),
        (
            #"{"log":{"entries":[{"request":{"method":"A","url":"/","headers":[{"name":"a b","value":""}]}}]}}"#,
            "log.entries[0].request.headers[0].name is no name of a field"
        ),
        (
            #"{"log":{"entries":[{"request":{"method":"A","url":"/","headers":[{"name":"a"}]}}]}}"#,
            "headers[0].value is missing"
        ),
        (
            #"{"log":{"entries":[{"request":{"method":"A","url":"/","postData":{"text":"%","encoding":"base64"}}}]}}"#,
            "log.entries[0].request.postData.text is no Base64"
        ),
        (
            #"{"log":{"entries":[{"request":{"method":"A","url":"/","postData":[]}}]}}"#,
            "log.entries[0].request.postData is no object"
        ),
    ])
    func `are 400 with the place, and nothing is sent`(text: String, words: String) async throws {
        let answer = try await Self.answer(Array(text.utf8))
        #expect(answer.code == 400 && answer.requests == 0)
        #expect(answer.json?["code"] == "body-malformed")
        #expect(answer.json?["error"]?.textValue?.contains(words) == true, "\(answer)")
    }

    @Test func `are refused where they are nested too deep`() async throws {
        let deep = String(repeating: "[", count: 1_000_000)
        #expect(try await Self.answer(Array(deep.utf8)).code == 400)
        let inside = #"{"log":{"entries":[],"_x":\#(String(repeating: "[", count: 100))"#
        #expect(try await Self.answer(Array(inside.utf8)).code == 400)
    }

    @Test func `are refused where they have a million entries`() async throws {
        let text = "{\"log\":{\"entries\":[" + String(repeating: "{},", count: 999_999) + "{}]}}"
        let answer = try await Self.answer(Array(text.utf8))
        #expect(answer.code == 400)
        #expect(answer.json?["error"]?.textValue?.contains("log.entries has more than 100000 elements") == true)
    }

    @Test func `many entries are replayed in linear time, and a thousand differences listed`() async throws {
        var text = "{\"log\":{\"entries\":["
        for number in 0..<3_000 {
            if number > 0 { text += "," }
            text += Archive.entry("GET", "/tables/t/\(number)", status: 404, answer: #"{"id":"row-number-\#(number)"}"#)
        }
        let answer = try await Self.answer(Array((text + "]}}").utf8))
        #expect(answer.code == 200 && answer.requests == 3_000)
        #expect(answer.json?["replayed"] == 3_000 && answer.json?["same"] == 0 && answer.json?["unlisted"] == 2_000)
        #expect(answer.json?["different"]?.elements?.count == 1_000)
    }

    @Test func `an answer that differs everywhere is told in short`() async throws {
        let was = "[" + Array(repeating: "1", count: 10_000).joined(separator: ",") + "]"
        let now = was.replacing("1", with: "2")
        let replay = try HARReplay(Archive.text([Archive.entry("GET", "/a", answer: was)]))
        let report = await replay.run { _ in Samples.answer(200, now) }
        #expect(report.different.first?.differences.count == 21)
        #expect(report.different.first?.differences.last == "and more")
    }

    @Test func `a field's value with newlines makes no other field`() async throws {
        let archive = Archive.text([Archive.entry("GET", "/a", headers: [("X-A", "a\r\nX-B: c")])])
        var fields: [String] = []
        _ = await (try HARReplay(archive)).run { request in
            fields = request.fields.all.map { "\($0.name): \($0.value)" }
            return Samples.answer(200)
        }
        #expect(fields == ["X-A: a  X-B: c"])
    }

    @Test func `other methods and parameters are refused`() async throws {
        #expect(try await Self.answer([], method: "GET").code == 405)
        #expect(try await Self.answer(Archive.text([]), query: "?basis=/a").code == 400)
        #expect(try await Self.answer(Archive.text([]), query: "?base=a").code == 400)
        let empty = try await Self.answer(Archive.text([]), query: "?base=/a/")
        #expect(empty.code == 200)
        #expect(
            empty.json == ["replayed": 0, "same": 0, "unanswered": 0, "leftOut": 0, "different": []])
    }
}
