internal import HTTPModel
internal import Platform

/// The answers of a connection that are waiting to be sent: small ones copied into one buffer, and a large body after
/// them sent without copying.
final class Outbox {
    /// Above this size, answers are sent before the next request of a pipeline is handled.
    private static let outputBytes = 64 << 10
    /// The largest buffer that a connection keeps for its next answer.
    private static let restingOutputBytes = 8 << 10
    /// How much of an answer is sent before the loop's other connections get their turn.
    private static let bytesPerTurn = 256 << 10
    /// The piece size for slow clients: at least as much as is encrypted at a time.
    private static let pieceBytes = 64 << 10
    /// The minimum size that a stream's buffer counts as, since each one takes a system call.
    private static let leastBytesOfTurn = 1 << 10

    /// The limits for how slowly the client may take what is sent.
    var limits: LimitsSnapshot
    private let socket: LoopSocket
    private let loop: EventLoop
    private let charge: ConnectionReservation
    private var output: [UInt8] = []
    /// The body after the output, with its reservation and the observer of its delivery.
    private var tail = Tail()
    /// The stream after that.
    private var stream: OutgoingStream?
    /// Why the server itself ended the connection in the middle of an answer; nil if it didn't.
    private var cutReason: ResponseDelivery.Reason?
    /// The address by which the client is counted among the slow ones.
    private let block: AddressCounts.Block?

    private struct Tail {
        var body = ResponseBody.bytes([])
        var charge: ByteReservation?
        var delivery: ResponseDelivery?
    }

    init(_ socket: LoopSocket, block: AddressCounts.Block?, charge: ConnectionReservation, limits: LimitsSnapshot) {
        self.socket = socket
        loop = socket.loop
        self.block = block
        self.charge = charge
        self.limits = limits
    }

    /// The number of bytes held that are charged to the connection.
    var heldBytes: Int { output.count }

    /// Whether it has to be flushed before anything else is added.
    var isDue: Bool { output.count >= Self.outputBytes || tail.body.heldBytes > 0 || stream != nil }

    /// Releases its buffer if it is empty, until there is something to send.
    func rest() {
        if output.isEmpty { output = [] }
    }

    /// Appends the interim answer that lets a client send its body.
    func appendContinue() {
        ResponseEncoder.append(ResponseEncoder.continueLine, to: &output)
    }

    /// Appends an answer.
    /// - Parameters:
    ///   - sendsBody: false for the answer to HEAD (RFC 9110 section 9.3.2).
    ///   - didBreakOff: called if its stream breaks off.
    func append(
        _ response: HTTPResponse, framing: BodyFraming, sendsBody: Bool, persistence: ResponseEncoder.Persistence,
        didBreakOff: @autoclosure () -> (any Error) -> Void
    ) {
        ResponseEncoder.encodeHead(
            response, framing: framing, persistence: persistence,
            date: response.date.map(LoopClock.line(at:)) ?? loop.clock.dateLine,
            into: &output)
        guard sendsBody, framing != .absent else {
            response.delivery?.end(.sent)
            return
        }
        switch response.body {
        case .bytes(let bytes) where bytes.count <= ResponseEncoder.embeddedBytes: output.append(contentsOf: bytes)
        case .buffers(let buffers) where response.body.heldBytes <= ResponseEncoder.embeddedBytes:
            for buffer in buffers { output.append(contentsOf: buffer) }
        case .bytes, .buffers:
            tail = Tail(body: response.body, charge: response.charge, delivery: response.delivery)
            return
        case .stream(let stream):
            self.stream = OutgoingStream(
                stream: stream, framing: framing, charge: response.charge ?? ByteReservation(loop.state.budget),
                didBreakOff: didBreakOff())
        }
        // What little there is goes with the head.
        response.delivery?.end(.sent)
    }

    /// The state of sending everything that is due.
    private struct Delivery {
        /// The bytes that the connection holds besides.
        let besideBytes: Int
        /// Set from the first wait for the client on.
        var pace: TransferRate?
        var sent = 0
        /// The bytes sent since the loop's other connections had their turn.
        var turn = 0
    }

    /// Sends everything, and waits for the client to take it if necessary.
    /// - Parameter besideBytes: the bytes that the connection holds besides.
    /// - Returns: false if the connection is lost.
    func flush(beside besideBytes: Int) async -> Bool {
        guard !output.isEmpty || tail.body.heldBytes > 0 else { return true }
        var delivery = Delivery(besideBytes: besideBytes)
        defer { if socket.slowness != nil { socket.slowness = nil } }
        guard await deliver(&delivery, isPart: stream.map { $0.stream.length != 0 } ?? false) else { return false }
        guard let outgoing = stream else { return true }
        stream = nil
        return await send(outgoing, &delivery)
    }

    // MARK: Streams

    /// Sends a stream whose head has been sent: the next buffer is requested when the system has taken all of the last
    /// one.
    private func send(_ outgoing: OutgoingStream, _ delivery: inout Delivery) async -> Bool {
        // A client that reads until the close would take a partial body for the whole.
        if outgoing.framing == .untilClose { socket.resetsAtClose = true }
        // A feed may be silent for long, and its client may vanish unnoticed in the meantime.
        Sockets.probeSilence(of: socket.number)
        do {
            guard try await sendBuffers(of: outgoing, &delivery) else {
                switch cutReason {
                case .tooSlow: outgoing.didBreakOff(StreamFault.tooSlow)
                case .displaced: outgoing.didBreakOff(StreamFault.displaced)
                case .gone, .stopped, nil: tellOfStop(outgoing)
                }
                return false
            }
        } catch {
            if socket.isLost { tellOfStop(outgoing) } else { outgoing.didBreakOff(error) }
            return false
        }
        if outgoing.framing == .chunked { ResponseEncoder.append("0\r\n\r\n", to: &output) }
        guard await deliver(&delivery, isPart: false) else { return false }
        socket.resetsAtClose = false
        return true
    }

    /// Reports a stream that the server itself cuts off because it stops; a client that left is not a failure.
    private func tellOfStop(_ outgoing: OutgoingStream) {
        if loop.state.phase == .stopping { outgoing.didBreakOff(StreamFault.stopped) }
    }

    /// - Returns: false if the connection is lost.
    private func sendBuffers(of outgoing: OutgoingStream, _ delivery: inout Delivery) async throws -> Bool {
        let production = outgoing.stream.begin()
        let announced = outgoing.stream.length ?? 0
        var left = outgoing.stream.length
        while true {
            let asked = loop.clock.now
            guard let buffer = try await socket.produce(production) else { break }
            // The client isn't slow while there is nothing for it to take.
            delivery.pace?.goOn(since: asked, now: loop.clock.now)
            if buffer.isEmpty {
                await Task.yield()
                continue
            }
            if let length = left {
                guard buffer.count <= length else { throw StreamFault.tooLong(announced: announced) }
                left = length - buffer.count
            }
            // As with the answer to a completed write, refusal is a last resort: the head has been sent.
            guard outgoing.charge.coverDoneWrite(buffer.count) else { throw StreamFault.buffersFull }
            frame(buffer, as: outgoing.framing)
            delivery.turn += max(0, Self.leastBytesOfTurn - buffer.count)
            guard await deliver(&delivery, isPart: left != 0) else { return false }
            _ = outgoing.charge.cover(0)
            // Everything announced has been sent: what the producer does now doesn't concern the client.
            if left == 0 { return true }
        }
        guard let left, left > 0 else { return true }
        throw StreamFault.tooShort(announced: announced, missing: left)
    }

    private func frame(_ buffer: [UInt8], as framing: BodyFraming) {
        let isChunk = framing == .chunked
        if isChunk { ResponseEncoder.appendChunkSize(buffer.count, to: &output) }
        if buffer.count <= ResponseEncoder.embeddedBytes {
            output.append(contentsOf: buffer)
            if isChunk { ResponseEncoder.append("\r\n", to: &output) }
        } else {
            tail.body = isChunk ? .buffers([buffer, ResponseEncoder.lineEnd]) : .bytes(buffer)
        }
    }

    // MARK: Bytes

    /// Sends the output and the body after it.
    /// - Parameter isPart: whether they are not yet the whole answer.
    /// - Returns: false if the connection is lost.
    private func deliver(_ delivery: inout Delivery, isPart: Bool) async -> Bool {
        let (headBytes, count) = (output.count, output.count + tail.body.heldBytes)
        var sent = 0
        let asker = tail.delivery
        defer { if let asker { asker.end(end(sent: sent, of: count, behind: headBytes)) } }
        guard socket.fate.willSend(count, isPart: isPart) else { return false }
        defer { if sent < count { socket.fate.didCut() } }
        var queue: BufferQueue?
        if case .buffers(let buffers) = tail.body {
            queue = BufferQueue([output] + buffers)
            // Each buffer is freed as it is sent.
            tail.body = .bytes([])
        }
        while sent < count {
            if delivery.turn < Self.bytesPerTurn {
                let room = Self.bytesPerTurn - delivery.turn
                let transfer =
                    if queue != nil {
                        sendNext(of: &queue, room)
                    } else if sent < headBytes {
                        socket.send(
                            output.span.extracting(sent...).extracting(first: room), hasMore: count > headBytes)
                    } else {
                        sendBody(from: sent - headBytes, room)
                    }
                switch transfer {
                case .bytes(let taken):
                    sent += taken
                    delivery.turn += taken
                    continue
                case .end, .fault: return false
                case .blocked: break
                }
            }
            delivery.turn = 0
            // From here on, the client determines how long the memory is held.
            if let queue { _ = tail.charge?.cover(queue.count) }
            guard charge.cover(delivery.besideBytes + output.count + socket.unsentBytes),
                await isTaken(delivery.sent + sent, holding: queue?.count ?? tail.body.heldBytes, &delivery.pace)
            else { return false }
            if queue == nil, sent >= headBytes, socket.slowness != nil { queue = pieces(from: sent - headBytes) }
        }
        delivery.sent += sent
        output.removeAll(keepingCapacity: output.capacity <= Self.restingOutputBytes)
        tail = Tail()
        return true
    }

    /// The outcome of sending the body.
    private func end(sent: Int, of count: Int, behind headBytes: Int) -> ResponseDelivery.End {
        if sent == count { return .sent }
        let taken = max(0, sent + socket.sentAheadBytes - socket.untakenBytes - headBytes)
        return .cut(bytes: taken, because: cutReason ?? (loop.state.phase == .stopping ? .stopped : .gone))
    }

    /// Splits the rest of a body into pieces for a slow client, each of which is freed as it is sent.
    private func pieces(from place: Int) -> BufferQueue? {
        guard case .bytes(let bytes) = tail.body, bytes.count > 2 * Self.pieceBytes else { return nil }
        tail.body = .bytes([])
        let starts = stride(from: place, to: bytes.count, by: Self.pieceBytes)
        return BufferQueue(starts.map { Array(bytes[$0..<min($0 + Self.pieceBytes, bytes.count)]) })
    }

    private func sendBody(from place: Int, _ room: Int) -> LoopSocket.Transfer {
        guard case .bytes(let bytes) = tail.body else { return .end }
        return socket.send(bytes.span.extracting(place...).extracting(first: room), hasMore: false)
    }

    private func sendNext(of queue: inout BufferQueue?, _ room: Int) -> LoopSocket.Transfer {
        guard var rest = queue.take() else { return .end }
        let transfer = socket.send(rest, most: room)
        if case .bytes(let taken) = transfer { rest.drop(taken) }
        queue = rest
        return transfer
    }

    /// Waits until there is room to send more. A client that was slow for a whole window has to make room for others
    /// from then on.
    /// - Parameter bytes: how much of the answer is held in the meantime.
    /// - Returns: false if the connection is lost, or the client too slow.
    private func isTaken(_ sent: Int, holding bytes: Int, _ held: inout TransferRate?) async -> Bool {
        var pace = held ?? .answer(limits, now: loop.clock.now)
        defer { held = pace }
        while true {
            let wake = await socket.wait(for: .writing, until: pace.deadline)
            switch wake {
            case .aborted, .draining: return false
            case .displaced:
                cutReason = .displaced
                return false
            case .ready, .timedOut: break
            }
            guard pace.note(passed: sent + socket.sentAheadBytes - socket.untakenBytes, now: loop.clock.now) else {
                cutReason = .tooSlow
                return false
            }
            if let rate = pace.takeRate() {
                socket.slowness = loop.state.slow.note(
                    socket.slowness, block, bytes: bytes, rate: rate, within: loop.state.budget)
            }
            if wake == .ready { return true }
        }
    }
}
