internal import HTTPModel
internal import Platform
internal import TLS
internal import WorkThreads

/// One connection, served by a task of its loop that decodes, calls the handler and writes. It has none while idle.
///
/// Its functions run in the caller's context (`nonsending`): the task is already on the loop, and a hop takes locks.
final class Connection {
    /// How many times its size a request may take up while it is being handled: the body, its parsed form, and what is
    /// made from that.
    static let copiesInHandler = 3
    /// How much is still read after the last answer, and for how long: closing with unread bytes would reset the
    /// connection, and the reset could overtake the answer (RFC 9112 section 9.6). A refused body may be large.
    private static let lingerBytes = 64 << 20
    private static let lingerTimeOfFault = Duration.seconds(5)
    private static let lingerTime = Duration.seconds(1)
    /// How long the connection is idle before it releases its buffers.
    private static let restAfter = Duration.seconds(1).nanoseconds

    let socket: LoopSocket
    let loop: EventLoop
    private let peer: String
    private let ports: ConnectionPorts
    /// The key for counting connections by address; nil if this one isn't counted.
    private let block: AddressCounts.Block?
    private let handler: any HTTPHandler
    private let current: CurrentLimits
    private var edition: Int
    private(set) var limits: LimitsSnapshot
    private(set) var decoder: RequestDecoder
    let charge: ConnectionReservation
    private let outbox: Outbox

    /// The stage of the current request and when that began, for the time limits.
    private var stage = RequestDecoder.Progress.idle
    private var stageBegan: UInt64
    /// The body of the current request while it arrives.
    private var body: IncomingBody?
    private var isFirstRequest = true
    /// Whether it holds no buffers.
    private var isLight = true
    /// Whether it has become idle during a drain, with the shorter limit for idle time.
    private var restsInDrain = false
    /// What ended the idle time.
    private var wake: LoopSocket.Wake?
    /// Whether the injected faults were consulted about the current request.
    private var isHeadShown = false

    init(
        _ socket: LoopSocket, peer: String, ports: ConnectionPorts, block: AddressCounts.Block?,
        handler: any HTTPHandler, limits current: CurrentLimits
    ) {
        self.socket = socket
        loop = socket.loop
        self.peer = peer
        self.ports = ports
        self.block = block
        self.handler = handler
        self.current = current
        edition = current.edition
        limits = current.value
        decoder = RequestDecoder(limits: limits, peer: peer)
        charge = ConnectionReservation(loop.state.budget)
        outbox = Outbox(socket, block: block, charge: charge, limits: limits)
        stageBegan = loop.clock.now
    }

    /// Starts the connection.
    /// - Parameter refusal: if set, the only answer is this fault's.
    nonisolated(nonsending) func begin(refusing refusal: HTTPFault?) async {
        loop.admit(socket)
        if let refusal {
            if await isEstablished() { await refuse(refusal) }
            close()
        } else {
            await goOn()
        }
    }

    /// Serves the connection until it ends or becomes idle. When the idle time ends, the loop continues it with another
    /// task.
    nonisolated(nonsending) func goOn() async {
        let end = await ClientDisconnect.$current.withValue(socket.disconnect) { await exchange() }
        if end == .over { close() }
    }

    private func close() {
        socket.slowness = nil
        loop.release(socket)
        if let block { loop.state.addresses.leave(block) }
    }

    /// Waits without a task for the next request or the end of the idle time.
    /// - Returns: false if a task has to do the waiting.
    private func rest() -> Bool {
        restsInDrain = loop.state.phase != .running
        let isWhole = isLight || restsInDrain
        return socket.rest(self, until: isWhole ? idleDeadline : min(idleDeadline, stageBegan + Self.restAfter))
    }

    /// Called by the loop when the idle time ends.
    func endRest(_ wake: LoopSocket.Wake) {
        let isForBuffers = wake == .timedOut && !isLight && !restsInDrain && loop.clock.now < idleDeadline
        if isForBuffers {
            decoder.rest()
            outbox.rest()
            isLight = true
            loop.state.memory.didRest()
        }
        if isForBuffers || wake == .draining {
            // A drain's limit counts from the last answer, and the loop may report a drain that is already known.
            if rest() { return }
        } else {
            self.wake = wake == .timedOut && restsInDrain ? .draining : wake
        }
        loop.serve(self)
    }

    /// Why a task leaves the connection.
    private enum TaskEnd { case over, rests }

    private nonisolated(nonsending) func exchange() async -> TaskEnd {
        if let wake {
            self.wake = nil
            guard await goesOn(after: receive(after: wake)) else { return .over }
        }
        while true {
            takeNewLimits()
            var next = Next.goesOn
            switch decoder.next() {
            case .needMore:
                guard await outbox.flush(beside: decoder.heldBytes) else { return .over }
                if decoder.progress == .body, closesBeforeReading(decoder.begun) { return .over }
                guard holdsWhatComes() else {
                    await refuse(.buffersFull)
                    return .over
                }
                enterStage()
                if stage == .idle, rest() { return .rests }
                guard await goesOn(after: receive(after: await waitForBytes())) else { return .over }
                continue
            case .sendContinue:
                if closesBeforeReading(decoder.begun) {
                    _ = await outbox.flush(beside: decoder.heldBytes)
                    return .over
                }
                guard holdsWhatComes() else {
                    await refuse(.buffersFull)
                    return .over
                }
                outbox.appendContinue()
            case .request(let decoded):
                next = await answer(decoded)
            case .fault(let fault):
                await refuse(fault)
                return .over
            }
            // Sent only now that the request has been released: a client may take long to read the answer.
            switch next {
            case .goesOn: continue
            case .cut:
                // Earlier answers of the pipeline are still delivered.
                await finish(linger: Self.lingerTime)
                return .over
            case .sends:
                guard await outbox.flush(beside: decoder.heldBytes) else { return .over }
                // The idle time begins here, as a stream may have taken long.
                stageBegan = loop.clock.now
            case .ends(let linger):
                await finish(linger: linger)
                return .over
            }
        }
    }

    /// The limits stay the same from the first byte of a request to its last.
    private func takeNewLimits() {
        guard edition != current.edition, decoder.isBeforeRequest else { return }
        edition = current.edition
        limits = current.value
        decoder.limits = limits
        outbox.limits = limits
    }

    /// Whether a test wants the connection closed before the rest of a request is read. Consulted once per request.
    private func closesBeforeReading(_ head: @autoclosure () -> HTTPRequest) -> Bool {
        guard let faults = limits.values.faults, !isHeadShown else { return false }
        isHeadShown = true
        return faults.closesBeforeReading(head())
    }

    /// What happens after an answer.
    private enum Next {
        case goesOn, sends
        /// The connection is closed without sending another byte.
        case cut
        case ends(linger: Duration?)
    }

    private nonisolated(nonsending) func answer(_ decoded: DecodedRequest) async -> Next {
        if closesBeforeReading(decoded.request) { return .cut }
        isHeadShown = false
        if body != nil { (body, socket.slowness) = (nil, nil) }
        socket.beginWork()
        var request = decoded.request
        request.answer = socket.fate.begin()
        request.isSecured = socket.isSecured
        request.ports = ports
        request.isModern = decoded.minorVersion > 0
        var response: HTTPResponse
        do throws(HTTPFault) {
            let held = decoder.heldBytes + outbox.heldBytes + Self.copiesInHandler * decoded.heldBytes
            guard charge.cover(held) else { throw .buffersFull }
            if !request.body.isEmpty { try await expand(&request, beside: held) }
            response = await handler.respond(to: request)
        } catch {
            response = handler.response(to: error, after: request)
        }
        if response.isWithheld {
            socket.fate.withhold()
            return .cut
        }
        charge(for: &response, to: request)
        if ResponseCoding.fits(response) { await code(&response, for: request) }
        let framing = BodyFraming(of: response, minorVersion: decoded.minorVersion)
        let closes = !decoded.keepsAlive || framing == .untilClose || loop.state.phase != .running
        outbox.append(
            response, framing: framing, sendsBody: request.method != .head,
            persistence: closes ? .close : decoded.minorVersion == 0 ? .keepAlive : .implied,
            didBreakOff: tellOfBreak(of: response, to: request))
        if charge.isCounted { _ = charge.cover(decoder.heldBytes + outbox.heldBytes) }
        if closes {
            // A client that asked for the close and sent nothing after it needs no linger.
            // Over TLS, its close_notify may be on the way, and would make a closed connection reset.
            let isSilent = !decoded.keepsAlive && decoder.progress == .idle && !socket.isSecured
            return .ends(linger: isSilent ? nil : Self.lingerTime)
        }
        stage = .idle
        stageBegan = loop.clock.now
        (isFirstRequest, isLight) = (false, false)
        return outbox.isDue ? .sends : .goesOn
    }

    /// Reports a broken stream to the handler, without keeping the request's body until then.
    private func tellOfBreak(of response: HTTPResponse, to request: HTTPRequest) -> (any Error) -> Void {
        var head = request
        head.body = []
        return { [handler] error in handler.didBreakOff(response, to: head, because: error) }
    }

    /// Answers a request that never reached the handler, and closes the connection.
    private nonisolated(nonsending) func refuse(_ fault: HTTPFault) async {
        (body, socket.slowness) = (nil, nil)
        let request = await head(behind: fault)
        let response = handler.response(to: fault, after: request)
        // Without the version it is unknown whether the client supports chunks.
        outbox.append(
            response, framing: BodyFraming(of: response, minorVersion: 0), sendsBody: true, persistence: .close,
            didBreakOff: tellOfBreak(of: response, to: request))
        decoder.giveUp()
        _ = charge.cover(outbox.heldBytes)
        await finish(linger: Self.lingerTimeOfFault)
    }

    // MARK: The budget

    /// Whether the budget has room for the request so far and, at the start of its body, for the announced length.
    private func holdsWhatComes() -> Bool {
        guard charge.cover(decoder.heldBytes) else { return false }
        let awaited = decoder.awaitedBytes
        return stage == .body || awaited <= ByteReservation.freeBytes || loop.state.budget.hasRoom(for: awaited)
    }

    /// Reserves memory for an answer's body. Without room it becomes a refusal; an answer to a write rarely does.
    private func charge(for response: inout HTTPResponse, to request: HTTPRequest) {
        let size = response.body.heldBytes
        guard size > ByteReservation.freeBytes, response.charge == nil else { return }
        let charge = ByteReservation(loop.state.budget)
        let isWritten = ![.get, .head, .options].contains(request.method) && response.status.rawValue < 400
        let isCovered = isWritten ? charge.coverDoneWrite(size) : charge.cover(size)
        if !isCovered {
            response.delivery?.drop()
            response = handler.response(to: .buffersFull, after: request)
        }
        if isCovered { response.charge = charge }
    }

    // MARK: Receiving

    private enum Receipt {
        case bytes, end, timedOut, displaced
        case fault(TLSFault)
    }

    /// Waits until the connection can carry answers, in case the client sends no request that will be answered.
    /// - Returns: false if it never can.
    private nonisolated(nonsending) func isEstablished() async -> Bool {
        while !socket.isEstablished {
            guard await socket.wait(for: .reading, until: receiveDeadline) == .ready else { return false }
            switch socket.receive() {
            case .bytes, .blocked: continue
            case .end, .fault: return false
            }
        }
        return true
    }

    private nonisolated(nonsending) func waitForBytes() async -> LoopSocket.Wake {
        guard stage == .idle else { return await socket.wait(for: .reading, until: receiveDeadline) }
        socket.isAtRest = true
        defer { socket.isAtRest = false }
        while true {
            let isDraining = loop.state.phase != .running
            let wake = await socket.wait(for: .reading, until: idleDeadline)
            if wake == .draining { continue }
            return wake == .timedOut && isDraining ? .draining : wake
        }
    }

    /// Receives the available bytes. A request that came before the drain is still read: a drain ends the wait, not the
    /// connection.
    private func receive(after wake: LoopSocket.Wake) -> Receipt {
        switch wake {
        case .aborted: return .end
        case .timedOut: return .timedOut
        case .displaced: return .displaced
        case .ready, .draining: break
        }
        switch socket.receive() {
        case .bytes(let count):
            body?.receive(count)
            unsafe decoder.feed(loop.scratch.extracting(..<count).span)
            return .bytes
        case .blocked: return wake == .ready ? .bytes : .end
        case .end: return .end
        case .fault(let fault): return .fault(fault)
        }
    }

    /// - Returns: false if the connection is over and everything has been sent.
    private nonisolated(nonsending) func goesOn(after receipt: Receipt) async -> Bool {
        switch receipt {
        case .bytes: return true
        case .end: socket.sayGoodbye()
        case .fault(let fault):
            loop.state.didFail(toSecure: peer, fault)
            if fault == .plainHTTP {
                await refuse(.malformed("this address speaks https, and the request came by http"))
            }
        case .displaced: await refuse(.buffersFull)
        case .timedOut:
            if body?.goesOn(on: socket, of: block, holding: decoder.heldBytes) == true { return true }
            if stage != .idle { await refuse(.timeout) } else { socket.sayGoodbye() }
        }
        return false
    }

    private func enterStage() {
        let current = decoder.progress
        guard current != stage else { return }
        // The head of the first request is timed from the accept, so that a silent client doesn't get twice the time.
        if !(isFirstRequest && stage == .idle && current == .head) { stageBegan = loop.clock.now }
        stage = current
        if current == .body { body = IncomingBody(limits, now: stageBegan) }
    }

    /// The time by which the next request has to begin. During a drain, a client that just got an answer may be about
    /// to send another request, unaware of the drain.
    private var idleDeadline: UInt64 {
        loop.state.phase == .running ? receiveDeadline : stageBegan + limits.values.drainRestTime.nanoseconds
    }

    private var receiveDeadline: UInt64 {
        switch stage {
        case .idle: stageBegan + (isFirstRequest ? limits.headerTime : limits.idleTime)
        case .head: stageBegan + limits.headerTime
        case .body: body?.deadline ?? stageBegan
        }
    }

    // MARK: The end

    /// Sends the last answer, ends the sending side, and keeps reading for a while.
    private nonisolated(nonsending) func finish(linger time: Duration?) async {
        guard await outbox.flush(beside: decoder.heldBytes) else { return }
        socket.sayGoodbye()
        guard let time else { return }
        socket.finishSending()
        let deadline = loop.clock.now + time.nanoseconds
        var left = Self.lingerBytes
        while left > 0, await socket.wait(for: .reading, until: deadline) == .ready {
            switch socket.receive() {
            case .bytes(let count): left -= count
            case .blocked: continue
            case .end, .fault: return
            }
        }
    }
}
