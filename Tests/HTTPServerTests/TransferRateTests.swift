import Foundation
import Testing

@testable import HTTPServer

@Suite("How slowly a body may be sent and an answer be read", .everyTransport)
struct TransferRateTests {
    private static let second: UInt64 = 1_000_000_000
    private static let limits = LimitsSnapshot(ServerLimits())

    @Test(arguments: [TransferRate.answer(limits, now: 0), TransferRate.body(limits, now: 0)])
    func `a kibibyte a second is enough for hours, and less is not`(from start: TransferRate) {
        for (rate, isEnough) in [(1_024, true), (1_000, false)] {
            var pace = start
            let survives = (1..<20_000).allSatisfy { pace.note(passed: $0 * rate, now: UInt64($0) * Self.second) }
            #expect(survives == isEnough)
            if isEnough { #expect(pace.takeRate() == 1_024 && pace.takeRate() == nil) }
        }
    }

    @Test func `thirty seconds without a byte of an answer are too many, and one byte is enough to go on`() {
        var pace = TransferRate.answer(Self.limits, now: 0)
        var isFine = pace.note(passed: 100_000, now: 1 * Self.second)
        #expect(isFine && pace.deadline == 31 * Self.second)
        isFine = pace.note(passed: 100_001, now: 30 * Self.second)
        #expect(isFine && pace.deadline == 60 * Self.second)
        isFine = pace.note(passed: 100_001, now: 59 * Self.second)
        #expect(isFine)
        isFine = pace.note(passed: 100_001, now: 60 * Self.second)
        #expect(!isFine)
    }

    @Test func `a body may be silent for a while, but what came in one minute is no credit for the next`() {
        var pace = TransferRate.body(Self.limits, now: 0)
        var isFine = pace.note(passed: 10, now: 59 * Self.second)
        #expect(isFine && pace.deadline == 60 * Self.second)
        isFine = pace.note(passed: 1 << 20, now: 60 * Self.second)
        #expect(isFine && pace.deadline == 120 * Self.second)
        isFine = pace.note(passed: (1 << 20) + 120, now: 120 * Self.second)
        #expect(!isFine)
    }

    @Test func `time in which there is nothing to take counts for no limit`() {
        var pace = TransferRate.answer(Self.limits, now: 0)
        var now: UInt64 = 0
        for _ in 0..<100 {
            pace.goOn(since: now, now: now + 3_600 * Self.second)
            now += 3_600 * Self.second
            #expect(pace.deadline > now)
        }
        var isFine = pace.note(passed: 0, now: now + 29 * Self.second)
        #expect(isFine)
        pace.goOn(since: now + 29 * Self.second, now: now + 99 * Self.second)
        isFine = pace.note(passed: 0, now: now + 100 * Self.second)
        #expect(!isFine)
    }

    @Test func `a client that takes its answer too slowly is cut off though it takes some`() async throws {
        try await serving(limits: {
            $0.window = .seconds(1)
            $0.sendBytesPerWindow = 1 << 30
        }) { port in
            let client = try RawClient(port: port, receiveBufferBytes: 4096)
            try client.send("GET /bytes/200000000 HTTP/1.1\r\nHost: h\r\n\r\n")
            var received = 0
            // So slow that all would take more than the test's patience, but not what the system holds at the end.
            let isCut = eventually {
                guard let some = try? client.receiveSome(upTo: 20_000) else { return true }
                received += some.count
                return some.isEmpty
            }
            #expect(isCut && received > 0 && received < 200_000_000)
        }
    }

    @Test func `a client that sends its body too slowly is answered 408 though it sends some`() async throws {
        try await serving(limits: {
            $0.window = TimeLimitTests.short
            $0.bodyBytesPerWindow = 1 << 30
        }) { port in
            let client = try RawClient(port: port)
            let head = "POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 100000\r\n\r\n"
            let trickle = Sender(client, Array(head.utf8), pausing: Array(repeating: [120], count: 500))
            #expect(try client.receiveAnswer().statusLine == "HTTP/1.1 408 Request Timeout")
            trickle.wait()
        }
    }

    @Test func `a body may take many windows, and so may the answer to it`() async throws {
        try await serving(limits: {
            $0.window = .milliseconds(200)
            // As little as a machine with much else to do lets a client send in each.
            $0.bodyBytesPerWindow = 0
            $0.sendBytesPerWindow = 0
        }) { port in
            let client = try RawClient(port: port, receiveBufferBytes: 4096)
            let pieces = (0..<120).map { _ in [UInt8](repeating: 120, count: 8_000) }
            let head = "POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 960000\r\n\r\n"
            let sender = Sender(client, Array(head.utf8), pausing: pieces)
            sender.wait()
            let answer = try client.receiveHead()
            #expect(answer.statusLine == "HTTP/1.1 200 OK")
            var received = 0
            while received < 960_000 {
                received += try client.receiveSome(upTo: 20_000).count
                usleep(20_000)
            }
            #expect(received == 960_000)
        }
    }
}
