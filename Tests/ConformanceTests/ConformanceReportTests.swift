import CurlClient
import HTTPModel
import JSONText
import Testing

@testable import Conformance

@Suite struct `A Conformance report` {
    private static let report: ConformanceReport = {
        let checks = ["insert/a", "insert/b", "list/c"].map { name in Check(name, "It is <so>.") { _ in } }
        let request = CurlRequest(
            .patch, "http://h/tables/t/1?a=1&b=2",
            fields: [CurlField("X-ZUMO-AUTH", "secret"), CurlField("If-Match", "\"v\"")],
            body: #"{"text":"<&>"}"#)
        let answer = CurlResponse(
            status: 409, reason: "Conflict", fields: [CurlField("ETag", "\"w\"")],
            body: Array("{\"bell\":\"\u{7}\"}".utf8))
        let failed = Verdict.failed(expected: "status 412", came: "status 409", exchange: 0)
        return ConformanceReport(
            address: "http://h", table: "t",
            results: [
                CheckResult(
                    check: checks[0], generation: .v2, verdict: .passed, demands: ["status 201"], exchanges: []),
                CheckResult(
                    check: checks[1], generation: .v2, verdict: failed, demands: [],
                    exchanges: [CheckExchange(request, answer: answer)]),
                CheckResult(
                    check: checks[2], generation: .v3, verdict: .skipped("no \"column\""), demands: [], exchanges: []),
            ])
    }()

    @Test func `is a line for each check as text, and under a failure what was sent and came`() {
        #expect(
            ReportFormat.text.text(of: Self.report) == """
                http://h, table t: v2 (Azure Mobile Apps), v3 (Datasync)
                pass  v2/insert/a
                FAIL  v2/insert/b
                      It is <so>.
                      expected: status 412
                      came:     status 409
                      > PATCH http://h/tables/t/1?a=1&b=2
                      > X-ZUMO-AUTH: …
                      > If-Match: "v"
                      > {"text":"<&>"}
                      < 409 Conflict
                      < ETag: "w"
                      < {"bell":"\u{7}"}
                skip  v3/list/c: no "column"
                3 checks: 1 passed, 1 failed, 1 skipped

                """)
    }

    @Test func `shows what is no text by its length`() {
        let packed = CheckExchange(
            CurlRequest(.get, "http://h"), answer: CurlResponse(status: 200, body: [0x1F, 0x8B, 8]))
        #expect(TextReport.lines(of: packed) == ["> GET http://h", "< 200 ", "< (3 bytes that are no text)"])
    }

    @Test func `is every exchange as JSON`() throws {
        let value = try JSONReader.parse(Array(ReportFormat.json.text(of: Self.report).utf8))
        guard case .object(let members) = value,
            case .array(let checks) = members.first(where: { $0.name == "checks" })?.value
        else {
            Issue.record("no object with checks")
            return
        }
        #expect(members.contains(JSONMember("failed", 1)) && checks.count == 3)
        let text = checks[1].json
        for part in [
            #""id":"v2/insert/b""#, #""verdict":"failed""#, #""expected":"status 412""#, #""came":"status 409""#,
            #""exchange":0"#, #""method":"PATCH""#, #"["If-Match","\"v\""]"#, #""status":409"#,
        ] {
            #expect(text.contains(part), "\(part)")
        }
        #expect(checks[0].json.contains(#""held":["status 201"]"#))
        #expect(checks[2].json.contains(#""reason":"no \"column\"""#))
    }

    @Test func `is a suite for each generation as JUnit`() {
        let text = ReportFormat.junit.text(of: Self.report)
        for part in [
            #"<testsuites name="zumod conformance" tests="3" failures="1" errors="0" skipped="1">"#,
            #"<testsuite name="v2" tests="2" failures="1" errors="0" skipped="0">"#,
            #"<testcase classname="v2.insert" name="a"/>"#,
            #"<failure message="expected status 412; came status 409">It is &lt;so&gt;."#,
            #"&gt; {&quot;text&quot;:&quot;&lt;&amp;&gt;&quot;}"#, "\u{FFFD}",
            #"<skipped message="no &quot;column&quot;"/>"#,
        ] {
            #expect(text.contains(part), "\(part)")
        }
        #expect(!text.contains("\u{7}"))
    }
}
