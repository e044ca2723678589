import Testing

@testable import HTTPServer

@Suite("How slowly an answer may be read", .everyTransport)
struct SendPaceTests {
    private static let second: UInt64 = 1_000_000_000

    @Test func `a kibibyte a second is enough for ten minutes, and less is not`() {
        for (rate, isEnough) in [(1_024, true), (1_000, false)] {
            var pace = SendPace(ServerLimits(), now: 0)
            let survives = (1..<600).allSatisfy { pace.note(taken: $0 * rate, now: UInt64($0) * Self.second) }
            #expect(survives == isEnough)
            let isLate = !pace.note(taken: 600 * rate, now: 600 * Self.second)
            #expect(isLate)
        }
    }

    @Test func `thirty seconds without a byte are too many, and one byte is enough to go on`() {
        var pace = SendPace(ServerLimits(), now: 0)
        var isFine = pace.note(taken: 100_000, now: 1 * Self.second)
        #expect(isFine && pace.deadline == 31 * Self.second)
        isFine = pace.note(taken: 100_001, now: 30 * Self.second)
        #expect(isFine && pace.deadline == 60 * Self.second)
        isFine = pace.note(taken: 100_001, now: 59 * Self.second)
        #expect(isFine)
        isFine = pace.note(taken: 100_001, now: 60 * Self.second)
        #expect(!isFine)
    }

    @Test func `time in which there is nothing to take counts for no limit`() {
        var pace = SendPace(ServerLimits(), now: 0)
        var now: UInt64 = 0
        for _ in 0..<100 {
            pace.goOn(since: now, now: now + 3_600 * Self.second)
            now += 3_600 * Self.second
            #expect(pace.deadline > now)
        }
        var isFine = pace.note(taken: 0, now: now + 29 * Self.second)
        #expect(isFine)
        pace.goOn(since: now + 29 * Self.second, now: now + 99 * Self.second)
        isFine = pace.note(taken: 0, now: now + 100 * Self.second)
        #expect(!isFine)
    }

    @Test(arguments: ["rate", "time"])
    func `a client that takes its answer too slowly is cut off though it takes some`(_ limit: String) async throws {
        try await serving(limits: {
            if limit == "rate" {
                $0.sendWindow = .seconds(1)
                $0.sendBytesPerWindow = 1 << 30
            } else {
                $0.sendTime = .seconds(1)
            }
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
}
