internal import HTTPModel

/// One connection: a task on its loop that decodes, asks the handler, writes, and starts over.
///
/// Its functions stay with their caller (`nonsending`): the task is on the loop already, and a hop takes locks.
final class Connection {
    /// Answers beyond so many bytes are sent before the next request of a pipeline is handled.
    private static let outputBytes = 64 << 10
    /// The largest buffer that a connection keeps for its next answer.
    private static let restingOutputBytes = 8 << 10
    /// How much is read away after the last answer, and how long: closing over unread bytes would reset the connection,
    /// and the reset may overtake the answer (RFC 9112 section 9.6). A refused body may be large.
    private static let lingerBytes = 32 << 20
    private static let lingerTimeOfFault = Duration.seconds(5)
    private static let lingerTime = Duration.seconds(1)

    private let socket: LoopSocket
    private let loop: EventLoop
    private let handler: any HTTPHandler
    private let limits: ServerLimits
    private var decoder: RequestDecoder
    private var output: [UInt8] = []

    /// The stage that the current request is in and when it began, for the time limits.
    private var stage = RequestDecoder.Progress.idle
    private var stageBegan: UInt64
    private var isFirstRequest = true

    init(_ socket: LoopSocket, peer: String, handler: any HTTPHandler, limits: ServerLimits) {
        self.socket = socket
        loop = socket.loop
        self.handler = handler
        self.limits = limits
        decoder = RequestDecoder(limits: limits, peer: peer)
        stageBegan = loop.clock.now
    }

    /// Serves the connection to its end.
    /// - Parameter refusal: set where the only answer is that fault's.
    nonisolated(nonsending) func serve(refusing refusal: HTTPFault?) async {
        loop.admit(socket)
        if let refusal {
            await refuse(refusal)
        } else {
            await exchange()
        }
        loop.release(socket)
    }

    private nonisolated(nonsending) func exchange() async {
        while true {
            switch decoder.next() {
            case .needMore:
                guard await flush() else { return }
                switch await receive() {
                case .bytes: continue
                case .end: return
                case .timedOut:
                    if stage != .idle { await refuse(.timeout) }
                    return
                }
            case .sendContinue:
                ResponseEncoder.append(ResponseEncoder.continueLine, to: &output)
            case .request(let decoded):
                guard await answer(decoded) else { return }
            case .fault(let fault):
                await refuse(fault)
                return
            }
        }
    }

    /// - Returns: whether the connection goes on.
    private nonisolated(nonsending) func answer(_ decoded: DecodedRequest) async -> Bool {
        let response = await handler.respond(to: decoded.request)
        let closes = !decoded.keepsAlive || loop.state.phase != .running
        ResponseEncoder.encode(
            response, isHead: decoded.request.method == .head,
            persistence: closes ? .close : decoded.minorVersion == 0 ? .keepAlive : .implied,
            date: loop.clock.dateLine, into: &output)
        if closes {
            // A client that asked for the close and sent nothing after it is not owed a linger.
            let isSilent = !decoded.keepsAlive && decoder.progress == .idle
            await finish(linger: isSilent ? nil : Self.lingerTime)
            return false
        }
        stage = .idle
        stageBegan = loop.clock.now
        isFirstRequest = false
        return output.count < Self.outputBytes ? true : await flush()
    }

    /// Answers a request that the handler could not see, and closes.
    private nonisolated(nonsending) func refuse(_ fault: HTTPFault) async {
        ResponseEncoder.encode(
            handler.response(to: fault, after: decoder.fields), isHead: false, persistence: .close,
            date: loop.clock.dateLine, into: &output)
        await finish(linger: Self.lingerTimeOfFault)
    }

    // MARK: Receiving

    private enum Receipt {
        case bytes, end, timedOut
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
        }
    }

    /// A request that came before the drain is still read, so a drain ends the wait and not the connection.
    private nonisolated(nonsending) func waitForRequest() async -> LoopSocket.Wake {
        guard stage == .idle else { return await socket.wait(for: .reading, until: receiveDeadline) }
        guard loop.state.phase == .running else { return .draining }
        socket.isAtRest = true
        defer { socket.isAtRest = false }
        return await socket.wait(for: .reading, until: receiveDeadline)
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

    /// Sends all output, and waits for the client to take it where it has to.
    /// - Returns: false where the connection is lost.
    private nonisolated(nonsending) func flush() async -> Bool {
        var sent = 0
        while sent < output.count {
            switch socket.send(output.span.extracting(sent...)) {
            case .bytes(let count): sent += count
            case .end: return false
            case .blocked:
                let deadline = loop.clock.now + limits.sendStallTime.nanoseconds
                guard await socket.wait(for: .writing, until: deadline) == .ready else { return false }
            }
        }
        if sent > 0 { output.removeAll(keepingCapacity: output.capacity <= Self.restingOutputBytes) }
        return true
    }

    /// Sends the last answer, says so, and reads on for a while.
    private nonisolated(nonsending) func finish(linger time: Duration?) async {
        guard await flush(), let time else { return }
        socket.finishSending()
        let deadline = loop.clock.now + time.nanoseconds
        var left = Self.lingerBytes
        while left > 0, await socket.wait(for: .reading, until: deadline) == .ready {
            switch socket.receive() {
            case .bytes(let count): left -= count
            case .blocked: continue
            case .end: return
            }
        }
    }
}
