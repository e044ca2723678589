import HTTPModel
import JSONText
import Scalars
import Synchronization
import TableOperations
import Tables
import Testing
import Webhooks
import WireTesting

@Suite("Webhooks")
struct WebhookSenderTests {
    private let table: Identifier

    init() throws {
        table = try #require(Identifier("Notes"))
    }

    /// What the operator would be told.
    private final class Reports: Sendable {
        let all = Mutex<[WebhookEvent]>([])
        var events: [WebhookEvent] { all.withLock { $0 } }
    }

    private static var quickRules: DeliveryRules {
        var rules = DeliveryRules()
        rules.attempts = 4
        rules.firstPause = .milliseconds(1)
        rules.longestPause = .milliseconds(5)
        // No receiver that hangs is given up in a test, and no notice at the end, however slow the machine.
        rules.patience = 600
        rules.farewell = .seconds(600)
        return rules
    }

    private func sender(
        _ url: String, operations: Set<Operation> = [.insert, .delete], secret: String? = "Jefe",
        rules: DeliveryRules = quickRules, _ reports: Reports = Reports()
    ) throws -> WebhookSender {
        let webhook = Webhook(try HTTPAddress(url), operations: operations, secret: secret.flatMap(WebhookSecret.init))
        return WebhookSender(
            [table: webhook], rules: rules, product: "zumod-test", clock: { Instant(milliseconds: 1_000) }
        ) { event in reports.all.withLock { $0.append(event) } }
    }

    private func notice(_ text: String) -> WriteNotice {
        let row = Record([Property("id", .text("k\"1")), Property("text", .text(text))])
        return WriteNotice(.insert, of: table, by: "sid:1", row: row)
    }

    private func text(_ request: HTTPRequest) -> String {
        guard case .object(let members)? = try? JSONReader.parse(request.body),
            case .object(let row)? = members.first(where: { $0.name == "row" })?.value,
            case .string(let text)? = row.first(where: { $0.name == "text" })?.value
        else { return "" }
        return text
    }

    @Test func `a notice is posted as JSON with its row, and signed`() async throws {
        let receiver = Receiver()
        try await receiver.listening { url in
            let sender = try sender(url)
            sender.take(notice("milk"))
            let request = try #require(await receiver.next(1).first)
            #expect(request.method == .post)
            #expect(String(decoding: request.target, as: UTF8.self) == "/notices?from=zumod")
            #expect(request.fields["Content-Type"] == "application/json; charset=utf-8")
            #expect(request.fields["User-Agent"] == "zumod-test")
            let id = try #require(request.fields["X-Zumod-Delivery"])
            #expect(
                String(decoding: request.body, as: UTF8.self) == """
                    {"delivery":"\(id)","at":"1970-01-01T00:00:01.000Z","table":"Notes","operation":"insert",\
                    "userId":"sid:1","row":{"id":"k\\"1","text":"milk"}}
                    """)
            let signature = try #require(WebhookSecret("Jefe")).signature(of: request.body)
            #expect(request.fields["X-Zumod-Signature"] == "sha256=\(signature)")
            await sender.close()
        }
    }

    @Test func `without a secret there is no signature`() async throws {
        let receiver = Receiver()
        try await receiver.listening { url in
            let sender = try sender(url, secret: nil)
            sender.take(notice("milk"))
            #expect(await receiver.next(1).first?.fields["X-Zumod-Signature"] == nil)
            await sender.close()
        }
    }

    @Test func `a notice bears the trace of the request that wrote, and none where there is none`() async throws {
        let receiver = Receiver()
        try await receiver.listening { url in
            let sender = try sender(url)
            let trace = try #require(TraceParent("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"))
            sender.take(TraceParent.$current.withValue(trace) { notice("milk") })
            sender.take(notice("bread"))
            let requests = await receiver.next(2)
            #expect(requests.map { $0.fields["traceparent"] } == [trace.text, nil])
            await sender.close()
        }
    }

    /// RFC 4231, test case 2.
    @Test func `the signature is HMAC-SHA256 in hexadecimal digits`() throws {
        let secret = try #require(WebhookSecret("Jefe"))
        #expect(
            secret.signature(of: Array("what do ya want for nothing?".utf8))
                == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
        #expect("\(secret)" == "WebhookSecret")
        #expect(WebhookSecret("") == nil)
    }

    @Test func `a notice has the signature that older versions gave it`() throws {
        let body =
            #"{"delivery":"d29bd431-328f-4c43-8fc5-4d1d5f1b78b1","at":"2026-11-25T03:37:04.825Z","table":"Item","operation":"insert","userId":null"#
            + #","row":{"id":"row-00","createdAt":"2026-11-25T03:37:04.824Z","updatedAt":"2026-11-25T03:37"#
            + #":04.824Z","version":"AAAAAAAAAAE=","deleted":false,"text":"t0","n":0}}"#
        let secret = try #require(WebhookSecret("a webhook secret"))
        #expect(
            secret.signature(of: Array(body.utf8))
                == "7ced86552a0a4ba389eaf00fbd8cd770d2ad1e1966d8a46beff10b4f143afc19")
        #expect(secret == WebhookSecret("a webhook secret") && secret != WebhookSecret("another secret"))
    }

    @Test func `only the operations asked for are told, of that table only`() throws {
        let sender = try sender("http://127.0.0.1:1/")
        #expect(Operation.allCases.filter { sender.wants($0, of: table) } == [.insert, .delete])
        #expect(!sender.wants(.insert, of: try #require(Identifier("other"))))
    }

    @Test(arguments: [500, 503, 504, 599, 408, 425, 429])
    func `a receiver that fails is tried again, and later notices wait their turn`(code: Int) async throws {
        let failure = try #require(HTTPStatus(rawValue: code))
        let receiver = Receiver([failure, failure, .ok])
        let reports = Reports()
        try await receiver.listening { url in
            let sender = try sender(url, reports)
            for text in ["first", "second"] { sender.take(notice(text)) }
            let requests = await receiver.next(4)
            #expect(requests.map(text) == ["first", "first", "first", "second"])
            #expect(Set(requests.map { $0.fields["X-Zumod-Delivery"] }).count == 2)
            await sender.close()
        }
        let told = reports.events.map { if case .postponed(table, let reason) = $0 { reason } else { "" } }
        #expect(told.count == 1 && told[0].contains("answered \(code)"))
    }

    @Test(arguments: [400, 401, 404, 405])
    func `a refusal is final`(code: Int) async throws {
        let receiver = Receiver([try #require(HTTPStatus(rawValue: code)), .ok])
        let reports = Reports()
        try await receiver.listening { url in
            let sender = try sender(url, reports)
            for text in ["refused", "taken"] { sender.take(notice(text)) }
            #expect(await receiver.next(2).map(text) == ["refused", "taken"])
            await sender.close()
        }
        let told = reports.events.map { if case .givenUp(table, let reason) = $0 { reason } else { "" } }
        #expect(told.count == 1 && told[0].contains("answered \(code)"))
    }

    @Test func `a receiver that never comes costs its notices after the last attempt`() async throws {
        let reports = Reports()
        let sender = try sender("http://127.0.0.1:1/", reports)
        for text in ["a", "b"] { sender.take(notice(text)) }
        while reports.events.count < 4 { try await Task.sleep(for: .milliseconds(5)) }
        await sender.close()
        let reason = "127.0.0.1:1 can't be reached"
        #expect(
            reports.events == [
                .postponed(table: table, reason: reason), .givenUp(table: table, reason: reason),
                .postponed(table: table, reason: reason), .givenUp(table: table, reason: reason),
            ])
    }

    @Test(arguments: [true, false])
    func `what is too much to wait is lost, told once, and never waited for`(byBytes: Bool) async throws {
        var rules = Self.quickRules
        // Notices of about 170 bytes.
        if byBytes { rules.noticeBytes = 400 } else { rules.noticeCount = 2 }
        let receiver = Receiver(hangs: true)
        let reports = Reports()
        try await receiver.listening { url in
            let sender = try sender(url, rules: rules, reports)
            sender.take(notice("0"))
            #expect(await receiver.next(1).map(text) == ["0"])
            for index in 1...6 { sender.take(notice("\(index)")) }
            #expect(reports.events == [.full(table: table)])
            receiver.open()
            #expect(await receiver.next(2).map(text) == ["1", "2"])
            await sender.close()
        }
        #expect(reports.events == [.full(table: table)])
    }

    @Test func `what waits goes out before the end`() async throws {
        let receiver = Receiver()
        let reports = Reports()
        try await receiver.listening { url in
            let sender = try sender(url, reports)
            for index in 0..<50 { sender.take(notice("\(index)")) }
            await sender.close()
            #expect(await receiver.next(50).map(text) == (0..<50).map(String.init))
            sender.take(notice("too late"))
        }
        #expect(!reports.events.contains { if case .unsent = $0 { true } else { false } })
    }

    @Test func `the end waits no longer than it may for a receiver that hangs`() async throws {
        var rules = Self.quickRules
        rules.farewell = .milliseconds(50)
        let receiver = Receiver(hangs: true)
        let reports = Reports()
        try await receiver.listening { url in
            let sender = try sender(url, rules: rules, reports)
            for text in ["a", "b"] { sender.take(notice(text)) }
            _ = await receiver.next(1)
            await sender.close()
        }
        #expect(reports.events.contains(.unsent(table: table, count: 1)))
    }

    @Test(.timeLimit(.minutes(5)))
    func `a receiver that trickles its answer is given up after the time of an attempt`() async throws {
        var rules = Self.quickRules
        rules.attempts = 2
        rules.patience = 1
        let receiver = try TricklingReceiver()
        defer { receiver.stop() }
        let reports = Reports()
        let sender = try sender("http://127.0.0.1:\(receiver.port)/", rules: rules, reports)
        sender.take(notice("a"))
        while !reports.events.contains(where: { if case .givenUp = $0 { true } else { false } }) {
            try await Task.sleep(for: .milliseconds(20))
        }
        let reason = "127.0.0.1:\(receiver.port) does not answer"
        #expect(reports.events == [.postponed(table: table, reason: reason), .givenUp(table: table, reason: reason)])
        // It may take the last one only now, as both have come to their end in a second each.
        while receiver.count < 2 { try await Task.sleep(for: .milliseconds(20)) }
        #expect(receiver.count == 2)
        await sender.close()
    }

    @Test func `the end wakes a sender from its pause`() async throws {
        var rules = Self.quickRules
        rules.firstPause = .seconds(3_600)
        rules.longestPause = .seconds(3_600)
        let reports = Reports()
        let sender = try sender("http://127.0.0.1:1/", rules: rules, reports)
        sender.take(notice("a"))
        await sender.close()
        #expect(reports.events == [.givenUp(table: table, reason: "127.0.0.1:1 can't be reached")])
    }
}
