import Exchanges
import HTTPModel
import JSONText
import Scalars
import Synchronization
import Tables
import Testing
import ZumoProtocol

@testable import DataPage

@Suite struct `What the data page keeps` {
    private static let jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhbm4ifQ.c2lnbmF0dXJlLXNpZ25hdHVyZQ"

    private static func request(
        _ target: String, _ body: String = "", _ fields: [(StaticString, String)] = []
    ) -> HTTPRequest {
        var all = HTTPFields()
        for (name, value) in fields { all.append(name, value) }
        return HTTPRequest(method: .post, target: Array(target.utf8), fields: all, body: Array(body.utf8))
    }

    private static func exchange(_ request: HTTPRequest, _ answer: String = "") -> Exchange {
        Exchange(
            request, id: "1", start: Instant(milliseconds: 0), duration: .milliseconds(1),
            answer: HTTPResponse(.ok, body: Array(answer.utf8)))
    }

    /// What was sent, and what is shown of it.
    struct Hidden: Sendable {
        let target: String
        var body = ""
        let shownTarget: String
        var shownBody = ""
    }

    @Test(arguments: [
        Hidden(target: "/tables/t?$filter=a&zumo-auth=x", shownTarget: "/tables/t?$filter=a&zumo-auth=***"),
        Hidden(target: "/tables/t?$skiptoken=place", shownTarget: "/tables/t?$skiptoken=place"),
        Hidden(target: "/api/x?next=https://bob:pw@host/", shownTarget: "/api/x?next=***"),
        Hidden(target: "/api/x?q=\(jwt)", shownTarget: "/api/x?q=***"),
        Hidden(target: "http://bob:pw@host/tables/t?a=b", shownTarget: "/tables/t?a=b"),
        Hidden(
            target: "/.auth/login/local", body: #"{"username":"ann","password":"pw"}"#,
            shownTarget: "/.auth/login/local", shownBody: "***"),
        Hidden(
            target: "/api/x", body: #"{"password":"pw","name":"ann"}"#, shownTarget: "/api/x",
            shownBody: #"{"password":"***","name":"ann"}"#),
        Hidden(
            target: "/api/x", body: "password=pw&name=ann", shownTarget: "/api/x",
            shownBody: "password=***&name=ann"),
        Hidden(
            target: "/tables/t", body: #"{"password":"a column","text":"\#(jwt) end"}"#, shownTarget: "/tables/t",
            shownBody: #"{"password":"a column","text":"*** end"}"#),
        Hidden(target: "/api/x?q=Bearer%200123456789", shownTarget: "/api/x?q=***"),
        Hidden(target: "/api/x?q=basic+Ym9iOnB3", shownTarget: "/api/x?q=***"),
        Hidden(
            target: "/tables/t?$filter=text eq 'basic training'", body: #"{"text":"Basic training"}"#,
            shownTarget: "/tables/t?$filter=text eq 'basic training'", shownBody: #"{"text":"Basic training"}"#),
        Hidden(
            target: "/tables/t", body: #"{"text":"bearer 0123456789.","other":"Basic Ym9iOnB3"}"#,
            shownTarget: "/tables/t", shownBody: #"{"text":"bearer ***","other":"Basic ***"}"#),
        Hidden(
            target: "/tables/t", body: #"{"text":"Bearer 0123\/456789+.","other":"Basic Ym\/iOnB3Oj8\/"}"#,
            shownTarget: "/tables/t", shownBody: #"{"text":"Bearer ***","other":"Basic ***"}"#),
        Hidden(
            target: "/tables/t", body: #"{"bearer":"0123456789","type":"Bearer","text":"of Bearer \"0123456789\""}"#,
            shownTarget: "/tables/t", shownBody: #"{"bearer":"***","type":"Bearer","text":"of Bearer \"***\""}"#),
        Hidden(
            target: "/api/x", body: #"{"sent":"Bearer 0123456789"}"#, shownTarget: "/api/x",
            shownBody: #"{"sent":"Bearer ***"}"#),
        Hidden(target: "/api/x?pin=1&sig=x&shipping=2", shownTarget: "/api/x?pin=***&sig=***&shipping=2"),
        Hidden(
            target: "/api/x", body: #"{"userPin":"1","opinion":"2","connectionString":"x"}"#, shownTarget: "/api/x",
            shownBody: #"{"userPin":"***","opinion":"2","connectionString":"***"}"#),
        Hidden(
            target: "/api/x", body: #"{"inner":"{\"password\":\"pw\"}","text":"a: b"}"#, shownTarget: "/api/x",
            shownBody: #"{"inner":"***","text":"a: b"}"#),
        Hidden(target: "/api/x", body: "<user><password>pw</password></user>", shownTarget: "/api/x", shownBody: "***"),
        Hidden(target: "/api/x", body: "{\"a\":1}\n{\"password\":\"pw\"}\n", shownTarget: "/api/x", shownBody: "***"),
        Hidden(target: "/api/x", body: #"{"password":"pw"}x"#, shownTarget: "/api/x", shownBody: "***"),
        Hidden(
            target: "/api/x",
            body: "--b\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\npw\r\n--b--\r\n",
            shownTarget: "/api/x", shownBody: "***"),
        Hidden(target: "/api/x", body: "password = pw\nname: ann", shownTarget: "/api/x", shownBody: "***"),
        Hidden(
            target: "/api/x", body: "<p>The pin fell: so be it</p>\n", shownTarget: "/api/x",
            shownBody: "<p>The pin fell: so be it</p>\n"),
        Hidden(target: "/api/x", body: "\u{1}\(jwt)", shownTarget: "/api/x", shownBody: "***"),
        Hidden(target: "/api/x", body: "plain words", shownTarget: "/api/x", shownBody: "plain words"),
    ])
    func `of a request holds nothing that opens anything`(_ hidden: Hidden) {
        let exchange = Self.exchange(Self.request(hidden.target, hidden.body), hidden.body)
        let shown = Redaction.redacted(exchange)
        #expect(String(decoding: shown.target, as: UTF8.self) == hidden.shownTarget)
        #expect(shown.body.text == hidden.shownBody)
        #expect(shown.answer?.body.text == hidden.shownBody)
        #expect(shown.body.length == hidden.body.utf8.count, "how long it was is no secret")
        #expect(!shown.body.isCut)
    }

    @Test func `of fields holds nothing that opens anything`() {
        let secret: [(StaticString, String)] = [
            ("Authorization", "Basic eA=="), ("X-ZUMO-AUTH", "x"), ("X-ZUMO-MASTER", "x"), ("X-ZUMO-APPLICATION", "x"),
            ("X-ARR-ClientCert", "x"),
            ("Cookie", "a=b"), ("Set-Cookie", "a=b"), ("X-CSRF-Token", "x"), ("Proxy-Authorization", "x"),
            ("Referer", "https://bob:pw@host/x"), ("Host", "bob:pw@host"), ("X-Any", Self.jwt),
            ("X-Upstream", "Bearer abc"), ("X-Upstream", "Bearer \"abc\""), ("X-Upstream", "basic  Ym9iOnB3"),
            ("X-Note", "sent BEARER 0123456789"),
        ]
        let shown = Redaction.redacted(
            Self.exchange(
                Self.request(
                    "/tables/t", "", secret + [("User-Agent", "phone"), ("Host", "host"), ("X-Note", "basics")])))
        #expect(
            shown.fields.all.map(\.value) == Array(repeating: "***", count: secret.count) + ["phone", "host", "basics"])
    }

    @Test func `is bounded by count and bytes, and none of it is the page's own`() {
        let record = PageRecord()
        record.isRecording = true
        let answer = RouteResponse(HTTPResponse(.ok))
        for path in ["/_", "/_/", "/_/api/tables", "/_?x"] {
            let own = Self.request(path)
            record.take(Self.exchange(own), of: own, answer)
        }
        #expect(record.exchanges.all.isEmpty)
        let large = Self.request("/tables/t", String(repeating: "x", count: 100 << 10))
        for _ in 0..<600 { record.take(Self.exchange(large), of: large, answer) }
        let all = record.exchanges.all
        #expect(all.count <= 130, "8 MiB of bodies that are cut to 64 KiB")
        #expect(all.allSatisfy { $0.body.bytes.count == 64 << 10 && $0.body.isCut && $0.body.length == 100 << 10 })
        for _ in 0..<600 { record.take(Self.exchange(Self.request("/tables/t")), of: large, answer) }
        #expect(record.exchanges.all.count == 500)
    }

    @Test func `ends an hour after somebody last looked`() {
        let now = Mutex<Int64>(5)
        let record = PageRecord(seconds: { now.withLock { $0 } })
        #expect(!record.wants(.ok))
        record.isSeen()
        #expect(!record.isRecording, "to look begins nothing")
        record.isRecording = true
        now.withLock { $0 += 3_599 }
        #expect(record.wants(.ok))
        record.isSeen()
        now.withLock { $0 += 3_599 }
        #expect(record.isRecording)
        now.withLock { $0 += 1 }
        #expect(!record.wants(.ok))
        #expect(record.wants(.conflict))
    }

    @Test func `of conflicts are the last hundred, without rows that are too long`() {
        let record = PageRecord()
        var answer = RouteResponse(HTTPResponse(.preconditionFailed, body: Array(#"{"text":"theirs"}"#.utf8)))
        answer.table = "t"
        answer.operation = .update
        for number in 0..<150 {
            let body = number == 149 ? #"{"text":"\#(String(repeating: "x", count: 20 << 10))"}"# : #"{"n":\#(number)}"#
            let request = Self.request("/tables/t/a", body)
            #expect(record.wants(answer.response.status))
            record.take(Self.exchange(request), of: request, answer)
        }
        let kept = record.conflicts
        #expect(kept.map(\.number) == Array(51...150))
        #expect(kept.last?.sent == [])
        #expect(record.exchanges.all.isEmpty, "nobody records")
    }

    @Test func `of the log are its last two hundred lines, by their numbers`() throws {
        let ring = LogRing()
        func numbers(after: Int) throws -> [Int64] {
            try JSONReader.parse(ring.json(after: after).jsonBytes)["lines"]?.elements?.compactMap {
                $0["number"]?.integerValue
            } ?? []
        }
        #expect(try numbers(after: 0).isEmpty)
        for number in 1...450 { ring.append(Array("2026-11-23T08:00:00.000Z info line \(number)\n".utf8)) }
        #expect(try numbers(after: 0) == Array(251...450))
        #expect(try numbers(after: 448) == [449, 450])
        #expect(try numbers(after: 450).isEmpty)
        #expect(try numbers(after: 1_000).isEmpty, "a server that has started anew counts anew")
        let last = try JSONReader.parse(ring.json(after: 449).jsonBytes)["lines"]?.elements?.first
        #expect(last?["text"]?.textValue == "2026-11-23T08:00:00.000Z info line 450")
        #expect(last?["level"]?.textValue == "info")
    }
}
