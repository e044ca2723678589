import HTTPModel
import JSONText
import Scalars

/// Answers `/_test/clock`, which shows the time and sets, moves, stops or resets the clock.
struct ClockRoute: Sendable {
    let clock: TestClock

    /// Answers a request.
    func answer(_ request: HTTPRequest) throws(RecordFault) -> HTTPResponse {
        switch request.method {
        case .get, .head: break
        case .post: try change(by: request.body)
        case .delete: clock.reset()
        default: throw .method(allow: "GET, HEAD, POST, DELETE")
        }
        return state
    }

    /// Changes the clock as the body says. It is stopped first if it should stand still, so that it shows exactly the
    /// time that is set.
    private func change(by body: [UInt8]) throws(RecordFault) {
        var members = try JSONMembers(of: body)
        let present = try members.text("set")
        let lead = try members.whole(
            "advanceMilliseconds", in: -TestClock.range.upperBound...TestClock.range.upperBound)
        let isFrozen = try members.boolean("frozen")
        try members.end()
        let instant = present.flatMap { Instant($0) }
        if present != nil, !(instant.map { TestClock.range.contains($0.milliseconds) } ?? false) {
            throw .body("'set' has to be a time such as 2026-01-31T12:00:00.000Z.")
        }
        if isFrozen == true { clock.freeze() }
        if let instant { clock.set(instant) }
        if let lead { clock.advance(by: lead) }
        if isFrozen == false { clock.release() }
    }

    private var state: HTTPResponse {
        .testJSON(
            .ok,
            [
                "now": .string(clock.now().wireText), "frozen": .boolean(clock.isFrozen),
                "aheadMilliseconds": .integer(clock.lead),
            ])
    }
}
