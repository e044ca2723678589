internal import Gzip
internal import HTTPModel
internal import Platform
internal import TLS
internal import WorkThreads

/// One connection: a task on its loop that decodes, asks the handler, writes, and starts over.
///
/// Its functions stay with their caller (`nonsending`): the task is on the loop already, and a hop takes locks.
final class Connection {
    /// Answers beyond so many bytes are sent before the next request of a pipeline is handled.
    private static let outputBytes = 64 << 10
    /// The largest buffer that a connection keeps for its next answer.
    private static let restingOutputBytes = 8 << 10
    /// So much of an answer is sent before the loop's other connections get their turn.
    private static let bytesPerTurn = 256 << 10
    /// What a request in the handler's hands may come to: its body, what that is parsed to, and what is made of it.
    private static let copiesInHandler = 3
    /// How much is read away after the last answer, and how long: closing over unread bytes would reset the connection,
    /// and the reset may overtake the answer (RFC 9112 section 9.6). A refused body may be large.
    private static let lingerBytes = 32 << 20
    private static let lingerTimeOfFault = Duration.seconds(5)
    private static let lingerTime = Duration.seconds(1)

    private let socket: LoopSocket
    private let loop: EventLoop
    private let peer: String
    private let handler: any HTTPHandler
    private let current: CurrentLimits
    private var edition: Int
    private var limits: ServerLimits
    private var decoder: RequestDecoder
    private var output: [UInt8] = []
    /// The body that follows the output, and what it holds of the budget.
    private var tail: (body: [UInt8], charge: ByteCharge?) = ([], nil)
    /// What the request that is read or handled and the output hold of the budget.
    private var charge: ByteCharge?

    /// The stage that the current request is in and when it began, for the time limits.
    private var stage = RequestDecoder.Progress.idle
    private var stageBegan: UInt64
    private var isFirstRequest = true

    init(_ socket: LoopSocket, peer: String, handler: any HTTPHandler, limits current: CurrentLimits) {
        self.socket = socket
        loop = socket.loop
        self.peer = peer
        self.handler = handler
        self.current = current
        edition = current.edition
        limits = current.value
        decoder = RequestDecoder(limits: limits, peer: peer)
        stageBegan = loop.clock.now
    }

    /// Serves the connection to its end.
    /// - Parameter refusal: set where the only answer is that fault's.
    nonisolated(nonsending) func serve(refusing refusal: HTTPFault?) async {
        loop.admit(socket)
        if let refusal {
            if await isEstablished() { await refuse(refusal) }
        } else {
            await Departure.$current.withValue(socket.departure) { await exchange() }
        }
        loop.release(socket)
    }

    private nonisolated(nonsending) func exchange() async {
        while true {
            takeNewLimits()
            var next = Next.goesOn
            switch decoder.next() {
            case .needMore:
                guard await flush() else { return }
                guard holdsWhatComes() else {
                    await refuse(.buffersFull)
                    return
                }
                switch await receive() {
                case .bytes: continue
                case .end:
                    socket.sayGoodbye()
                    return
                case .fault(let fault):
                    loop.state.didFail(toSecure: peer, fault)
                    guard fault == .plainHTTP else { return }
                    await refuse(.malformed("this address speaks https, and the request came by http"))
                    return
                case .timedOut:
                    if stage != .idle { await refuse(.timeout) } else { socket.sayGoodbye() }
                    return
                }
            case .sendContinue:
                guard holdsWhatComes() else {
                    await refuse(.buffersFull)
                    return
                }
                ResponseEncoder.append(ResponseEncoder.continueLine, to: &output)
            case .request(let decoded):
                next = await answer(decoded)
            case .fault(let fault):
                await refuse(fault)
                return
            }
            // Only here, where the request is gone: a client may take long to read what it asked for.
            switch next {
            case .goesOn: continue
            case .sends: guard await flush() else { return }
            case .ends(let linger):
                await finish(linger: linger)
                return
            }
        }
    }

    /// Each request has one set of limits from its first byte to its last.
    private func takeNewLimits() {
        guard edition != current.edition, decoder.isBeforeRequest else { return }
        edition = current.edition
        limits = current.value
        decoder.limits = limits
    }

    /// What comes after an answer.
    private enum Next {
        case goesOn, sends
        case ends(linger: Duration?)
    }

    private nonisolated(nonsending) func answer(_ decoded: DecodedRequest) async -> Next {
        socket.beginWork()
        var request = decoded.request
        request.answer = socket.fate.begin()
        request.isSecured = socket.isSecured
        let answer: HTTPResponse
        do throws(HTTPFault) {
            let base = decoder.heldBytes + output.count
            guard hold(base + Self.copiesInHandler * decoded.heldBytes) else { throw .buffersFull }
            try await expand(&request, beside: base + Self.copiesInHandler * decoded.heldBytes)
            answer = await handler.respond(to: request)
        } catch {
            answer = handler.response(to: error, after: request)
        }
        let response = await coded(charged(answer, to: request), for: request)
        let closes = !decoded.keepsAlive || loop.state.phase != .running
        append(
            response, isHead: request.method == .head,
            persistence: closes ? .close : decoded.minorVersion == 0 ? .keepAlive : .implied)
        if charge != nil { _ = hold(decoder.heldBytes + output.count) }
        if closes {
            // A client that asked for the close and sent nothing after it is not owed a linger.
            // By TLS its goodbye may be on the way, upon which a closed connection is reset.
            let isSilent = !decoded.keepsAlive && decoder.progress == .idle && !socket.isSecured
            return .ends(linger: isSilent ? nil : Self.lingerTime)
        }
        stage = .idle
        stageBegan = loop.clock.now
        isFirstRequest = false
        return output.count < Self.outputBytes && tail.body.isEmpty ? .goesOn : .sends
    }

    /// Puts an answer behind those that are to be sent.
    private func append(_ response: HTTPResponse, isHead: Bool, persistence: ResponseEncoder.Persistence) {
        ResponseEncoder.encodeHead(response, persistence: persistence, date: loop.clock.dateLine, into: &output)
        guard ResponseEncoder.sendsBody(response, isHead: isHead) else { return }
        if response.body.count <= ResponseEncoder.embeddedBytes {
            output.append(contentsOf: response.body)
        } else {
            tail = (response.body, response.charge)
        }
    }

    /// Answers a request that the handler could not see, and closes.
    private nonisolated(nonsending) func refuse(_ fault: HTTPFault) async {
        let response = handler.response(to: fault, after: decoder.begun)
        append(response, isHead: false, persistence: .close)
        decoder.giveUp()
        _ = hold(output.count)
        await finish(linger: Self.lingerTimeOfFault)
    }

    // MARK: Codings of bodies

    /// Makes the text of a body that came as gzip. Another coding is for the handler to refuse.
    /// - Parameter base: what is held of the budget without it.
    private nonisolated(nonsending) func expand(_ request: inout HTTPRequest, beside base: Int) async throws(HTTPFault)
    {
        guard let coding = request.fields["Content-Encoding"], !request.body.isEmpty,
            ["gzip", "x-gzip"].contains(coding.lowercased())
        else { return }
        let charge = charge ?? ByteCharge(loop.state.budget)
        self.charge = charge
        do throws(GzipExpander.Fault) {
            request.body = try await loop.state.coding.expand(request.body, limit: limits.bodyBytes) { bytes in
                charge.cover(base + Self.copiesInHandler * bytes + GzipExpander.heldBytes)
            }
        } catch {
            switch error {
            case .damaged: throw .malformed("the body is not the gzip that its Content-Encoding announces")
            case .tooLarge: throw .bodyTooLarge(limit: limits.bodyBytes)
            case .noRoom: throw .buffersFull
            }
        }
        request.fields.removeAll("Content-Encoding")
    }

    /// The answer as gzip, where the client takes that and it is worth it.
    private nonisolated(nonsending) func coded(_ answer: HTTPResponse, for request: HTTPRequest) async -> HTTPResponse {
        guard AnswerCoding.fits(answer) else { return answer }
        var response = answer
        response.fields.append("Vary", "Accept-Encoding")
        guard AcceptedCodings.haveGzip(request.fields) else { return response }
        if response.body.count <= AnswerCoding.bytesOnLoop {
            if let gzip = loop.compressor?.compress(response.body) { AnswerCoding.replace(&response, by: gzip) }
        } else if response.charge?.cover(response.body.count / 2 * 3 + GzipCompressor.heldBytes) == true,
            let gzip = await loop.state.coding.compress(response.body)
        {
            AnswerCoding.replace(&response, by: gzip)
        }
        return response
    }

    // MARK: The budget

    /// Makes the connection's charge cover so many bytes.
    /// - Returns: false where the budget has no room for them.
    private func hold(_ bytes: Int) -> Bool {
        if charge == nil {
            if bytes <= ByteCharge.freeBytes { return true }
            charge = ByteCharge(loop.state.budget)
        }
        return charge?.cover(bytes) ?? true
    }

    /// Whether there is room for what the request holds so far and, where its body begins, for what is announced of it.
    private func holdsWhatComes() -> Bool {
        guard hold(decoder.heldBytes) else { return false }
        let awaited = decoder.awaitedBytes
        return stage == .body || awaited <= ByteCharge.freeBytes || loop.state.budget.hasRoom(for: awaited)
    }

    /// Charges for the body of an answer. One without room becomes a refusal, but what was written is hardly denied.
    private func charged(_ response: HTTPResponse, to request: HTTPRequest) -> HTTPResponse {
        let size = response.body.count
        guard size > ByteCharge.freeBytes, response.charge == nil else { return response }
        let charge = ByteCharge(loop.state.budget)
        let isWritten = ![.get, .head, .options].contains(request.method) && response.status.rawValue < 400
        guard isWritten ? charge.coverDoneWrite(size) : charge.cover(size) else {
            return handler.response(to: .buffersFull, after: request)
        }
        var response = response
        response.charge = charge
        return response
    }

    // MARK: Receiving

    private enum Receipt {
        case bytes, end, timedOut
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
        case .timedOut: return .timedOut
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
            let deadline = isDraining ? stageBegan + limits.drainRestTime.nanoseconds : receiveDeadline
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
        case .idle: stageBegan + (isFirstRequest ? limits.headerTime : limits.idleTime).nanoseconds
        case .head: stageBegan + limits.headerTime.nanoseconds
        case .body: stageBegan + limits.bodyTime.nanoseconds
        }
    }

    // MARK: Sending

    /// Sends all output and the body behind it, and waits for the client to take them where it has to.
    /// - Returns: false where the connection is lost.
    private nonisolated(nonsending) func flush() async -> Bool {
        let (headBytes, bodyBytes) = (output.count, tail.body.count)
        guard headBytes + bodyBytes > 0 else { return true }
        guard socket.fate.willSend(headBytes + bodyBytes) else { return false }
        var pace: SendPace?
        var sent = 0
        var turn = 0
        while sent < headBytes + bodyBytes {
            let room = Self.bytesPerTurn - turn
            let transfer =
                sent < headBytes
                ? socket.send(output.span.extracting(sent...).extracting(first: room), hasMore: bodyBytes > 0)
                : socket.send(tail.body.span.extracting((sent - headBytes)...).extracting(first: room), hasMore: false)
            switch transfer {
            case .bytes(let count):
                sent += count
                turn += count
                if turn < Self.bytesPerTurn || sent == headBytes + bodyBytes { continue }
            case .end, .fault: return false
            case .blocked: break
            }
            turn = 0
            // The client decides how long it is held from here on.
            guard hold(decoder.heldBytes + output.count + socket.unsentBytes), await isTaken(sent, &pace) else {
                return false
            }
        }
        output.removeAll(keepingCapacity: output.capacity <= Self.restingOutputBytes)
        tail = ([], nil)
        return true
    }

    /// Waits until there is room to send more.
    /// - Returns: false where the connection is lost, or the client too slow.
    private nonisolated(nonsending) func isTaken(_ sent: Int, _ held: inout SendPace?) async -> Bool {
        var pace = held ?? SendPace(limits, now: loop.clock.now)
        defer { held = pace }
        while true {
            let wake = await socket.wait(for: .writing, until: pace.deadline)
            switch wake {
            case .aborted, .draining: return false
            case .ready, .timedOut: break
            }
            guard pace.note(taken: sent + socket.sentAheadBytes - socket.untakenBytes, now: loop.clock.now) else {
                return false
            }
            if wake == .ready { return true }
        }
    }

    /// Sends the last answer, says so, and reads on for a while.
    private nonisolated(nonsending) func finish(linger time: Duration?) async {
        guard await flush() else { return }
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
