import HTTPModel
import Synchronization
import Testing
import WireTesting
import ZumoProtocol

@testable import ServerLogging

@Suite("The log of an outage")
struct OutageLogTests {
    private let lines = LogLines()
    private let time = SettableTime()

    /// A clock that stands still until it is set.
    private final class SettableTime: Sendable {
        private let instant = Mutex(ContinuousClock.now)
        var now: ContinuousClock.Instant { instant.withLock { $0 } }
        func move(by duration: Duration) { instant.withLock { $0 += duration } }
    }

    private var logger: Log {
        Log(CurrentLogSettings(), write: lines.append)
    }

    private func outages() -> OutageLog { OutageLog(logger) { [time] in time.now } }

    @Test func `refusals have one line a second with their number, and the end has one`() throws {
        let log = outages()
        for _ in 0..<3 {
            for _ in 0..<1_000 { log.refuse(because: "no connection") }
            time.move(by: .seconds(1))
        }
        log.serve()
        log.serve()
        let words = lines.all.map { $0.drop { $0 != " " }.dropFirst() }
        #expect(
            words == [
                "error requests refused, since the database can't be used count=1 detail=\"no connection\"\n",
                "error requests refused, since the database can't be used count=1000 detail=\"no connection\"\n",
                "error requests refused, since the database can't be used count=1000 detail=\"no connection\"\n",
                "notice the database can be used again refused=3000 seconds=2\n",
            ])
    }

    @Test func `requests that are served between refusals end no outage`() {
        let log = outages()
        for _ in 0..<100 {
            log.refuse(because: "locked")
            time.move(by: .milliseconds(5))
            log.serve()
        }
        #expect(lines.all.count == 1)
    }

    @Test func `without an outage nothing is told, and each outage has its own end`() {
        let log = outages()
        log.serve()
        #expect(lines.all.isEmpty)
        for _ in 0..<2 {
            log.refuse(because: "away")
            time.move(by: .seconds(2))
            log.serve()
        }
        #expect(lines.all.count { $0.contains("refused=1 seconds=0") } == 2)
    }

    @Test func `a request that an outage refuses has no line of its own`() {
        let log = RequestLog(logger)
        for id in 0..<100 {
            var answer = RouteResponse(HTTPResponse(.serviceUnavailable), detail: "away")
            answer.isOutage = true
            log.end(
                RequestEvent(
                    id: "\(id)", request: HTTPRequest(method: .get, target: Array("/tables/x".utf8)), answer: answer,
                    group: .tables, isProbe: false, nanoseconds: 0))
        }
        let refusals = lines.all.filter { $0.contains("requests refused") }
        #expect(lines.all.count == refusals.count && !refusals.isEmpty)
        // However slow the machine is.
        #expect(refusals.count < 100)
    }
}
