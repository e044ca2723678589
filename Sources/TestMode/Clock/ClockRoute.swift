public import HTTPModel
import JSONText
import OData

/// Answers `/_test/clock`: what time it is, and how it goes on.
public struct ClockRoute: Sendable {
    private let clock: TestClock

    /// Answers for a clock.
    public init(_ clock: TestClock) {
        self.clock = clock
    }

    /// Answers a request; errors are answers.
    public func answer(_ request: HTTPRequest) -> HTTPResponse {
        do throws(RecordFault) {
            switch request.method {
            case .get, .head: break
            case .post: try change(by: request.body)
            case .delete: clock.reset()
            default: throw .method(allow: "GET, HEAD, POST, DELETE")
            }
        } catch {
            return error.response
        }
        return state
    }

    /// Does what a body says: first where the clock is, then whether it runs.
    private func change(by body: [UInt8]) throws(RecordFault) {
        var members = try JSONMembers(of: body)
        let present = try members.text("set")
        let lead = try members.whole(
            "advanceMilliseconds", in: -TestClock.range.upperBound...TestClock.range.upperBound)
        let isFrozen = try members.boolean("frozen")
        try members.end()
        if let present {
            guard let instant = Instant(present), TestClock.range.contains(instant.milliseconds) else {
                throw .body("'set' has to be a time such as 2026-01-31T12:00:00.000Z.")
            }
            clock.set(instant)
        }
        if let lead { clock.advance(by: lead) }
        switch isFrozen {
        case true?: clock.freeze()
        case false?: clock.release()
        case nil: break
        }
    }

    private var state: HTTPResponse {
        var json = JSONWriter()
        json.raw("{\"now\":")
        json.string(clock.now().wireText)
        json.raw(",\"frozen\":")
        json.boolean(clock.isFrozen)
        json.raw(",\"aheadMilliseconds\":")
        json.integer(clock.lead)
        json.raw("}")
        return .testJSON(.ok, json.bytes)
    }
}
