internal import Gzip
internal import HTTPModel
internal import Platform
internal import TLS
internal import WorkThreads

/// One connection: a task on its loop that decodes, asks the handler, writes, and starts over.
///
/// Its functions stay with their caller (`nonsending`): the task is on the loop already, and a hop takes locks.
final class Connection {
    /// What a request in the handler's hands may come to: its body, what that is parsed to, and what is made of it.
    private static let copiesInHandler = 3
    /// How much is read away after the last answer, and how long: closing over unread bytes would reset the connection,
    /// and the reset may overtake the answer (RFC 9112 section 9.6). A refused body may be large.
    private static let lingerBytes = 32 << 20
    private static let lingerTimeOfFault = Duration.seconds(5)
    private static let lingerTime = Duration.seconds(1)
    /// After how long a new task waits for the next request: the one that answered keeps the memory of its deepest calls.
    private static let restAfter = Duration.seconds(1).nanoseconds

    private let socket: LoopSocket
    private let loop: EventLoop
    private let peer: String
    /// By what it counts among those of its address; nil for one that doesn't.
    private let block: AddressCounts.Block?
    private let handler: any HTTPHandler
    private let current: CurrentLimits
    private var edition: Int
    private var limits: LimitsInForce
    private var decoder: RequestDecoder
    private let charge: ConnectionCharge
    private let outbox: Outbox

    /// The stage that the current request is in and when it began, for the time limits.
    private var stage = RequestDecoder.Progress.idle
    private var stageBegan: UInt64
    private var isFirstRequest = true
    /// Whether its task has answered nothing yet.
    private var isTaskNew = true
    /// Whether the faults were asked about the current request.
    private var isHeadShown = false

    init(
        _ socket: LoopSocket, peer: String, block: AddressCounts.Block?, handler: any HTTPHandler,
        limits current: CurrentLimits
    ) {
        self.socket = socket
        loop = socket.loop
        self.peer = peer
        self.block = block
        self.handler = handler
        self.current = current
        edition = current.edition
        limits = current.value
        decoder = RequestDecoder(limits: limits, peer: peer)
        charge = ConnectionCharge(loop.state.budget)
        outbox = Outbox(socket, charge: charge, limits: limits)
        stageBegan = loop.clock.now
    }

    /// Serves the connection, to its end or until it rests, when another task takes over.
    /// - Parameter refusal: set where the only answer is that fault's.
    nonisolated(nonsending) func serve(refusing refusal: HTTPFault?) async {
        loop.admit(socket)
        if let refusal {
            if await isEstablished() { await refuse(refusal) }
            close()
        } else {
            await goOn()
        }
    }

    private nonisolated(nonsending) func goOn() async {
        switch await Departure.$current.withValue(socket.departure, operation: { await exchange() }) {
        case .over: close()
        case .rests: rest()
        }
    }

    private func close() {
        loop.release(socket)
        if let block { loop.state.addresses.leave(block) }
    }

    private func rest() {
        isTaskNew = true
        decoder.rest()
        outbox.rest()
        loop.state.memory.didRest()
        // The task that ends here touches it no more, and the next one runs on the same loop.
        nonisolated(unsafe) let connection = self
        Task.detached(executorPreference: loop) {
            // Here, where no call is deep yet. How it ended shows again when it is gone on.
            _ = await unsafe connection.waitForRequest()
            await unsafe connection.goOn()
        }
    }

    /// Why a task of the connection ends.
    private enum TaskEnd { case over, rests }

    private nonisolated(nonsending) func exchange() async -> TaskEnd {
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
                switch await receive() {
                case .bytes: continue
                case .nothing: return .rests
                case .end:
                    socket.sayGoodbye()
                    return .over
                case .fault(let fault):
                    loop.state.didFail(toSecure: peer, fault)
                    guard fault == .plainHTTP else { return .over }
                    await refuse(.malformed("this address speaks https, and the request came by http"))
                    return .over
                case .timedOut:
                    if stage != .idle { await refuse(.timeout) } else { socket.sayGoodbye() }
                    return .over
                }
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
            // Only here, where the request is gone: a client may take long to read what it asked for.
            switch next {
            case .goesOn: continue
            case .cut:
                // The answers before it in a pipeline are not lost with it.
                await finish(linger: Self.lingerTime)
                return .over
            case .sends:
                guard await outbox.flush(beside: decoder.heldBytes) else { return .over }
                // Its rest begins here, as a stream may have taken long.
                stageBegan = loop.clock.now
            case .ends(let linger):
                await finish(linger: linger)
                return .over
            }
        }
    }

    /// Each request has one set of limits from its first byte to its last.
    private func takeNewLimits() {
        guard edition != current.edition, decoder.isBeforeRequest else { return }
        edition = current.edition
        limits = current.value
        decoder.limits = limits
        outbox.limits = limits
    }

    /// Whether a test wants the connection to end before the rest of a request is read. Asked once of each.
    private func closesBeforeReading(_ head: @autoclosure () -> HTTPRequest) -> Bool {
        guard let faults = limits.values.faults, !isHeadShown else { return false }
        isHeadShown = true
        return faults.closesBeforeReading(head())
    }

    /// What comes after an answer.
    private enum Next {
        case goesOn, sends
        /// The connection is closed without another byte.
        case cut
        case ends(linger: Duration?)
    }

    private nonisolated(nonsending) func answer(_ decoded: DecodedRequest) async -> Next {
        if closesBeforeReading(decoded.request) { return .cut }
        isHeadShown = false
        socket.beginWork()
        var request = decoded.request
        request.answer = socket.fate.begin()
        request.isSecured = socket.isSecured
        var response: HTTPResponse
        do throws(HTTPFault) {
            let base = decoder.heldBytes + outbox.heldBytes
            guard charge.cover(base + Self.copiesInHandler * decoded.heldBytes) else { throw .buffersFull }
            if !request.body.isEmpty {
                try await expand(&request, beside: base + Self.copiesInHandler * decoded.heldBytes)
            }
            response = await handler.respond(to: request)
        } catch {
            response = handler.response(to: error, after: request)
        }
        if response.isWithheld { return .cut }
        charge(for: &response, to: request)
        if AnswerCoding.fits(response) { await code(&response, for: request) }
        let framing = BodyFraming(of: response, minorVersion: decoded.minorVersion)
        let closes = !decoded.keepsAlive || framing == .untilClose || loop.state.phase != .running
        outbox.append(
            response, framing: framing, sendsBody: request.method != .head,
            persistence: closes ? .close : decoded.minorVersion == 0 ? .keepAlive : .implied,
            didBreakOff: tellOfBreak(of: response, to: request))
        if charge.isCounted { _ = charge.cover(decoder.heldBytes + outbox.heldBytes) }
        if closes {
            // A client that asked for the close and sent nothing after it is not owed a linger.
            // By TLS its goodbye may be on the way, upon which a closed connection is reset.
            let isSilent = !decoded.keepsAlive && decoder.progress == .idle && !socket.isSecured
            return .ends(linger: isSilent ? nil : Self.lingerTime)
        }
        stage = .idle
        stageBegan = loop.clock.now
        isFirstRequest = false
        isTaskNew = false
        return outbox.isDue ? .sends : .goesOn
    }

    /// What tells the handler that a stream broke off, without holding the body of the request meanwhile.
    private func tellOfBreak(of response: HTTPResponse, to request: HTTPRequest) -> (any Error) -> Void {
        var head = request
        head.body = []
        return { [handler] error in handler.didBreakOff(response, to: head, because: error) }
    }

    /// Answers a request that the handler could not see, and closes.
    private nonisolated(nonsending) func refuse(_ fault: HTTPFault) async {
        let response = handler.response(to: fault, after: decoder.begun)
        // Without the version nobody knows whether the client can read chunks.
        outbox.append(
            response, framing: BodyFraming(of: response, minorVersion: 0), sendsBody: true, persistence: .close,
            didBreakOff: tellOfBreak(of: response, to: decoder.begun))
        decoder.giveUp()
        _ = charge.cover(outbox.heldBytes)
        await finish(linger: Self.lingerTimeOfFault)
    }

    // MARK: Codings of bodies

    /// Makes the text of a body that came as gzip. Another coding is for the handler to refuse.
    /// - Parameter base: what is held of the budget without it.
    private nonisolated(nonsending) func expand(_ request: inout HTTPRequest, beside base: Int) async throws(HTTPFault)
    {
        guard let coding = request.fields["Content-Encoding"]?.lowercased(), ["gzip", "x-gzip"].contains(coding) else {
            return
        }
        let charge = charge.counted
        do throws(GzipExpander.Fault) {
            request.body = try await loop.state.coding.expand(request.body, limit: limits.values.bodyBytes) { bytes in
                charge.cover(base + Self.copiesInHandler * bytes + GzipExpander.heldBytes)
            }
        } catch {
            switch error {
            case .damaged: throw .malformed("the body is not the gzip that its Content-Encoding announces")
            case .tooLarge: throw .bodyTooLarge(limit: limits.values.bodyBytes)
            case .noRoom: throw .buffersFull
            }
        }
        request.fields.removeAll("Content-Encoding")
    }

    /// Makes an answer that fits gzip, where the client takes that and it is worth it.
    private nonisolated(nonsending) func code(_ response: inout HTTPResponse, for request: HTTPRequest) async {
        response.fields.append("Vary", "Accept-Encoding")
        guard AcceptedCodings.haveGzip(request.fields) else { return }
        let size = response.body.heldBytes
        // Several buffers are copied into one for it.
        let copiedBytes = if case .buffers = response.body { size } else { 0 }
        if size <= AnswerCoding.bytesOnLoop {
            guard let text = response.body.joined, let gzip = loop.compressor?.compress(text) else { return }
            AnswerCoding.replace(&response, by: gzip)
        } else if response.charge?.cover(size / 2 * 3 + copiedBytes + GzipCompressor.heldBytes) == true,
            let text = response.body.joined, let gzip = await loop.state.coding.compress(text)
        {
            AnswerCoding.replace(&response, by: gzip)
        }
    }

    // MARK: The budget

    /// Whether there is room for what the request holds so far and, where its body begins, for what is announced of it.
    private func holdsWhatComes() -> Bool {
        guard charge.cover(decoder.heldBytes) else { return false }
        let awaited = decoder.awaitedBytes
        return stage == .body || awaited <= ByteCharge.freeBytes || loop.state.budget.hasRoom(for: awaited)
    }

    /// Charges for the body of an answer. One without room becomes a refusal, but what was written is hardly denied.
    private func charge(for response: inout HTTPResponse, to request: HTTPRequest) {
        let size = response.body.heldBytes
        guard size > ByteCharge.freeBytes, response.charge == nil else { return }
        let charge = ByteCharge(loop.state.budget)
        let isWritten = ![.get, .head, .options].contains(request.method) && response.status.rawValue < 400
        let isCovered = isWritten ? charge.coverDoneWrite(size) : charge.cover(size)
        if !isCovered { response = handler.response(to: .buffersFull, after: request) }
        if isCovered { response.charge = charge }
    }

    // MARK: Receiving

    private enum Receipt {
        case bytes, end, timedOut
        /// Nothing for a while.
        case nothing
        case fault(TLSFault)
    }

    /// Waits until an answer can be sent at all, where the client asks for nothing that will be answered.
    /// - Returns: false where it never can.
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

    private nonisolated(nonsending) func receive() async -> Receipt {
        enterStage()
        let wake = await waitForRequest()
        switch wake {
        case .aborted: return .end
        case .timedOut: return !isTaskNew && loop.clock.now < receiveDeadline ? .nothing : .timedOut
        case .ready, .draining: break
        }
        switch socket.receive() {
        case .bytes(let count):
            unsafe decoder.feed(loop.scratch.extracting(..<count).span)
            return .bytes
        case .blocked: return wake == .ready ? .bytes : .end
        case .end: return .end
        case .fault(let fault): return .fault(fault)
        }
    }

    /// A request that came before the drain is still read, so a drain ends the wait and not the connection.
    private nonisolated(nonsending) func waitForRequest() async -> LoopSocket.Wake {
        guard stage == .idle else { return await socket.wait(for: .reading, until: receiveDeadline) }
        socket.isAtRest = true
        defer { socket.isAtRest = false }
        while true {
            // Whoever has just been answered may be about to ask again, and not know better.
            let isDraining = loop.state.phase != .running
            var deadline = isDraining ? stageBegan + limits.values.drainRestTime.nanoseconds : receiveDeadline
            if !isTaskNew, !isDraining { deadline = min(deadline, stageBegan + Self.restAfter) }
            let wake = await socket.wait(for: .reading, until: deadline)
            // A drain that begins counts from the last answer, and the loop may tell of one that is known already.
            if wake == .draining { continue }
            return wake == .timedOut && isDraining ? .draining : wake
        }
    }

    private func enterStage() {
        let current = decoder.progress
        guard current != stage else { return }
        // The head of the first request is timed from the accept, so that a silent client can't double its time.
        if !(isFirstRequest && stage == .idle && current == .head) { stageBegan = loop.clock.now }
        stage = current
    }

    private var receiveDeadline: UInt64 {
        switch stage {
        case .idle: stageBegan + (isFirstRequest ? limits.headerTime : limits.idleTime)
        case .head: stageBegan + limits.headerTime
        case .body: stageBegan + limits.bodyTime
        }
    }

    // MARK: The end

    /// Sends the last answer, says so, and reads on for a while.
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
