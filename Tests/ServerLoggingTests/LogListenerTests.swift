import Dispatch
import HTTPModel
import Synchronization
import Testing
import WireTesting
import ZumoProtocol

@testable import ServerLogging

@Suite("A program that listens to the log")
struct LogListenerTests {
    private let lines = LogLines()

    /// Keeps what a program hears.
    private final class Heard: Sendable {
        private let events = Mutex<[LogEvent]>([])
        var all: [LogEvent] { events.withLock { $0 } }
        @Sendable func append(_ event: LogEvent) { events.withLock { $0.append(event) } }
    }

    private let heard = Heard()

    @Test func `hears of what has a line, with its members as they came`() {
        let listener = LogListener(heard.append)
        let log = Log(CurrentLogSettings(), telling: listener, write: lines.append)
        log.log(level: .debug, "unheard")
        log.warning("a \"b\"", members: ["count": "3", "detail": "x\ny"])
        var answer = RouteResponse(HTTPResponse(.notFound), detail: "größer\u{1b}")
        answer.api = "x"
        RequestLog(log).end(
            RequestEvent(
                id: "1", request: HTTPRequest(method: .get, target: Array("/api/x?y".utf8)), answer: answer,
                group: .api, isProbe: false, nanoseconds: 5_000))
        listener.close(within: 60)
        let request = [
            "api": "x", "bytes": "0", "detail": "größer\u{1b}", "id": "1", "method": "GET", "path": "/api/x",
            "status": "404", "us": "5",
        ]
        #expect(heard.all.map(\.level) == [.warning, .info])
        #expect(heard.all.map(\.message) == ["a \"b\"", "request"])
        #expect(heard.all.first?.members == ["count": "3", "detail": "x\ny"])
        #expect(heard.all.last?.members.filter { $0.key != "address" } == request)
        #expect(heard.all.last?.members["address"] != nil)
        #expect(lines.all.count == 2 && lines.all.first?.hasSuffix("warning a 'b' count=3 detail=\"x y\"\n") == true)
    }

    @Test func `holds nobody up where it stands still, and hears how much it missed`() {
        let rest = DispatchSemaphore(value: 0)
        let listener = LogListener { [heard] event in
            if event.message == "0" { rest.wait() }
            heard.append(event)
        }
        for number in 0..<LogListener.most + 5 { listener.take(LogEvent(.info, "\(number)")) }
        rest.signal()
        listener.close(within: 60)
        let missed = heard.all.filter { $0.level == .warning }
        #expect(missed.map(\.members) == [["count": "5"]])
        // Where they are missing: behind what was there before.
        #expect(heard.all.last?.level == .warning)
        #expect(heard.all.filter { $0.level == .info }.map(\.message) == (0..<LogListener.most).map { "\($0)" })
    }

    @Test func `has so many bytes of events waiting at most, but one event of any size`() {
        let rest = DispatchSemaphore(value: 0)
        let begun = DispatchSemaphore(value: 0)
        let listener = LogListener { [heard] event in
            if event.message == "0" {
                begun.signal()
                rest.wait()
            }
            heard.append(event)
        }
        listener.take(LogEvent(.info, "0"))
        begun.wait()
        let large = String(repeating: "x", count: LogListener.mostBytes / 4)
        for number in 1...5 { listener.take(LogEvent(.info, "\(number)", ["text": large])) }
        rest.signal()
        listener.close(within: 60)
        #expect(heard.all.map(\.message).prefix(4) == ["0", "1", "2", "3"])
        #expect(heard.all.last?.members == ["count": "2"])
        let other = LogListener(heard.append)
        other.take(LogEvent(.info, "large", ["text": large + large + large + large + large]))
        other.close(within: 60)
        #expect(heard.all.last?.message == "large")
    }

    @Test func `hears of nothing once it was closed, though it stood still`() {
        let (begun, rest) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let ended = DispatchSemaphore(value: 0)
        let listener = LogListener { [heard] event in
            heard.append(event)
            if event.message == "0" {
                begun.signal()
                rest.wait()
                ended.signal()
            }
        }
        for number in 0..<10 { listener.take(LogEvent(.info, "\(number)")) }
        begun.wait()
        listener.close(within: 0)
        listener.take(LogEvent(.info, "late"))
        rest.signal()
        ended.wait()
        listener.close(within: 60)
        #expect(heard.all.map(\.message) == ["0"])
    }
}
