import Exchanges
import HTTPModel
import Scalars
import TableOperations
import Tables
import WorkThreads
import ZumoProtocol

/// The path of a request through a world: applies the world's faults to it and records the exchange.
struct FaultInjection: Sendable {
    let world: World

    /// Answers a request, or fails to as a fault demands.
    func respond(to request: HTTPRequest) async -> HTTPResponse {
        let (start, began) = (world.clock.now(), ContinuousClock.now)
        let segments = (try? RequestTarget(request.target))?.segments ?? []
        let rule = world.faults.strikes(request, at: segments)
        if let delay = rule?.delay, delay > .zero {
            let era = world.era
            await wait(for: delay)
            // The world was reset meanwhile: a request that belongs to an earlier test does nothing.
            guard world.era == era else { return Self.withheld }
        }
        var (answer, era) = await answer(to: request, segments, rule?.effect)
        if world.clock.isSet { answer.date = world.clock.now().secondsRoundedDown }
        let sent = damaged(answer, by: rule?.effect)
        guard world.era == era else { return sent }
        world.record.append(
            Exchange(
                request, id: answer.fields["X-Request-Id"] ?? "", start: start, duration: began.duration(to: .now),
                answer: sent.isWithheld ? nil : answer, fault: rule?.name))
        return sent
    }

    /// Whether a connection is closed before a request's body is read.
    func closesBeforeReading(_ head: HTTPRequest) -> Bool {
        let segments = (try? RequestTarget(head.target))?.segments ?? []
        // Otherwise a test could not remove the fault.
        guard segments.first != "_test" else { return false }
        guard let rule = world.faults.strikesHead(of: head, at: segments) else { return false }
        world.record.append(
            Exchange(head, id: "", start: world.clock.now(), duration: .zero, answer: nil, fault: rule.name))
        return true
    }

    /// Waits until the delay is over, the client disconnects or the server stops.
    private func wait(for delay: Duration) async {
        let end = ContinuousClock.now + delay
        let disconnect = ClientDisconnect.current
        while .now < end, disconnect?.hasCome != true, !world.isHurried() {
            try? await Task.sleep(until: min(end, .now + .milliseconds(50)), clock: .continuous)
        }
    }

    private func answer(
        to request: HTTPRequest, _ segments: [String], _ effect: FaultEffect?
    ) async -> (HTTPResponse, era: Int) {
        switch effect {
        case .closed(.afterReading): return (Self.withheld, world.era)
        case .answered(let status, let retryAfter):
            let failure = TestControl.failure(
                status, .faultInduced, "A fault of the test answers this; nothing was done.", retryAfter: retryAfter)
            return (world.signed(failure, to: request), world.era)
        case .stale:
            if let first = world.record.firstAnswer(to: request) { return (first, world.era) }
        case .overtaken(let columns):
            // If the row doesn't exist, there is nothing to overtake.
            if segments.count == 3, segments[0].lowercased() == "tables", let columns = Record(json: columns) {
                _ = try? await world.touch(segments[1], segments[2], columns)
            }
        default: break
        }
        return await world.respond(to: request) ?? (Self.withheld, world.era)
    }

    private static var withheld: HTTPResponse {
        var response = HTTPResponse(.internalServerError)
        response.isWithheld = true
        return response
    }

    /// What arrives of an answer after a fault.
    private func damaged(_ answer: HTTPResponse, by effect: FaultEffect?) -> HTTPResponse {
        var answer = answer
        switch effect {
        case .closed(.afterCommit): answer.isWithheld = true
        case .closed(.midAnswer):
            guard let body = answer.body.joined, body.count > 1 else {
                answer.isWithheld = true
                break
            }
            answer.body = .stream(BrokenBody.half(of: body))
        case .truncated(let count):
            if let body = answer.body.joined { answer.body = .bytes(Array(body.prefix(count))) }
        case .throttled(let rate):
            if let body = answer.body.joined {
                answer.body = .stream(BrokenBody.slow(body, bytesPerSecond: rate, hurries: world.isHurried))
            }
        default: break
        }
        return answer
    }
}
