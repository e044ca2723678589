import CurlClient
import Synchronization
import Testing

@testable import Conformance

/// Answers without a server.
private final class Echo: ConformanceTransport {
    private let answer: @Sendable (CurlRequest) throws(CurlFault) -> CurlResponse
    private let asked = Mutex<[CurlRequest]>([])

    init(_ answer: @escaping @Sendable (CurlRequest) throws(CurlFault) -> CurlResponse) { self.answer = answer }

    var requests: [CurlRequest] { asked.withLock { $0 } }

    func send(_ request: CurlRequest) async throws(CurlFault) -> CurlResponse {
        asked.withLock { $0.append(request) }
        return try answer(request)
    }
}

@Suite struct `A Conformance run` {
    static func target(columns: String = ConformanceTarget.usualColumns) throws -> ConformanceTarget {
        try ConformanceTarget(
            address: "https://old.example/app/", table: "Todo", hardTable: "hard", guardedTable: "guarded",
            columns: columns, key: "k-e-y", masterKey: nil, userToken: "t.o.k.e.n", pageRows: 0)
    }

    private static func run(
        _ echo: Echo, _ generations: [WireGeneration] = [.v2], only patterns: [String] = [],
        columns: String = ConformanceTarget.usualColumns
    ) async throws -> Result<ConformanceReport, ConformanceRun.Fault> {
        let target = try target(columns: columns)
        do throws(ConformanceRun.Fault) {
            return .success(try await ConformanceRun(target, generations, only: patterns, transport: echo).run())
        } catch {
            return .failure(error)
        }
    }

    @Test func `tells that a server can't be reached`() async throws {
        let echo = Echo { _ throws(CurlFault) in throw .noAnswer("curl: (7) refused") }
        guard case .failure(.unreachable(let sentence)) = try await Self.run(echo) else {
            Issue.record("no such fault")
            return
        }
        #expect(sentence == "https://old.example/app can't be reached: curl: (7) refused")
        #expect(echo.requests.count == 1)
    }

    @Test(arguments: [(401, "--key"), (403, "--key"), (404, "--table")])
    func `tells what to name where a server refuses the table`(_ status: Int, _ flag: String) async throws {
        let echo = Echo { _ throws(CurlFault) in CurlResponse(status: status) }
        guard case .failure(.unusable(let sentence)) = try await Self.run(echo) else {
            Issue.record("no such fault")
            return
        }
        #expect(sentence.contains("answers \(status)") && sentence.contains(flag))
    }

    @Test func `fails every check of a server that answers nonsense, and passes none`() async throws {
        let echo = Echo { _ throws(CurlFault) in CurlResponse(status: 200, body: Array("what?".utf8)) }
        for generation in WireGeneration.allCases {
            let report = try await Self.run(echo, [generation]).get()
            // What it does not look at, or what has nothing to be tried on, can't be said.
            #expect(report.passed == 0, "\(report.results.filter(\.isPassed).map(\.id))")
            #expect(report.failed > 100)
        }
    }

    @Test func `fails a check whose request is not answered, and goes on`() async throws {
        let count = Mutex(0)
        let echo = Echo { _ throws(CurlFault) in
            guard
                count.withLock({
                    $0 += 1; return $0
                }) == 1
            else { throw .noAnswer("curl: (28) timed out") }
            return CurlResponse(status: 200, body: Array("[]".utf8))
        }
        let report = try await Self.run(echo, only: ["v2/insert/*"]).get()
        #expect(report.failed == report.results.count && report.results.count > 10)
        let text = TextReport.lines(of: report.results[0]).joined(separator: "\n")
        #expect(text.contains("< no answer: curl: (28) timed out"))
    }

    @Test func `skips what has no column to be tried on`() async throws {
        let echo = Echo { _ throws(CurlFault) in CurlResponse(status: 200, body: Array("[]".utf8)) }
        let report = try await Self.run(echo, only: ["values/int64"]).get()
        guard case .skipped(let reason) = report.results.first?.verdict else {
            Issue.record("not skipped")
            return
        }
        #expect(reason.contains("--columns int64=NAME"))
        #expect(report.skipped == 1 && report.passed == 0)
    }

    @Test func `runs the checks that match, and says where none does`() async throws {
        let echo = Echo { _ throws(CurlFault) in CurlResponse(status: 200, body: Array("[]".utf8)) }
        let report = try await Self.run(echo, [.v1, .v3], only: ["*/list/top"]).get()
        #expect(report.results.map(\.id) == ["v1/list/top", "v3/list/top"])
        guard case .failure(.nothingToDo(let sentence)) = try await Self.run(echo, only: ["v3/*"]) else {
            Issue.record("no such fault")
            return
        }
        #expect(sentence.contains("`v3/*`"))
    }

    @Test func `secrets are sent and not shown`() async throws {
        let echo = Echo { _ throws(CurlFault) in CurlResponse(status: 200, body: Array("[]".utf8)) }
        let report = try await Self.run(echo, WireGeneration.allCases, only: ["read/answers-the-row"]).get()
        let sent = echo.requests.flatMap(\.fields).map(\.value)
        #expect(sent.contains("k-e-y") && sent.contains("t.o.k.e.n") && sent.contains("Bearer t.o.k.e.n"))
        for format in ReportFormat.allCases {
            let text = format.text(of: report)
            #expect(!text.contains("k-e-y") && !text.contains("t.o.k.e.n"))
        }
    }

    @Test(arguments: [
        ("v2/list/*", true), ("list", true), ("*top", true), ("v2/*/top", true), ("*", true), ("v1/*", false),
        ("v2*list*top*", true), ("v2/list/top/*", false), ("top*", false),
    ])
    func `a pattern matches with stars, or anywhere`(_ pattern: String, _ matches: Bool) {
        #expect(Glob(pattern).matches("v2/list/top") == matches)
    }
}

@Suite struct `What Conformance is told` {
    @Test(arguments: [
        "old.example", "ftp://old.example", "https://", "https://old.example/?a=b", "https://old.example/a b",
    ])
    func `an address that is none is refused`(_ address: String) {
        #expect(throws: (any Error).self) {
            try ConformanceTarget(
                address: address, table: "t", hardTable: "t", guardedTable: "t", columns: "text=a", key: nil,
                masterKey: nil, userToken: nil, pageRows: 0)
        }
    }

    @Test(arguments: ["", "number=a", "text", "text=", "colour=a,text=b", "text=a b"])
    func `columns that can't be meant are refused`(_ columns: String) {
        #expect(throws: (any Error).self) { try `A Conformance run`.target(columns: columns) }
    }

    @Test func `an address may have a path, and its origin is known`() throws {
        let target = try `A Conformance run`.target()
        #expect(target.address == "https://old.example/app")
        #expect(target.origin == "https://old.example")
    }
}
