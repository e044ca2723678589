internal import HTTPModel
internal import Platform
internal import Synchronization

/// What became of a connection's answers. The loop reports what happens; any thread may ask, even after the end.
///
/// An answer has arrived if the other side's system has acknowledged its last byte. One that hasn't arrived counts as
/// lost only if that is certain: the client left before the answer was sent, the missing bytes were retransmitted in
/// vain, or the server itself withholds it or cuts it off.
final class DeliveryTracker: RespondingConnection {
    fileprivate struct State {
        /// nil after the end.
        var descriptor: Int32?
        /// Whether what comes is encrypted, so that a goodbye is bytes too.
        var isSecured: Bool
        /// Requests that were handed to their handlers.
        var begun: UInt64 = 0
        /// Answers that the system was given, or may have been: they count from before the call that gives them.
        var sent: UInt64 = 0
        /// Where the last of them ends, in bytes since the connection began.
        var sentBytes: UInt64 = 0
        /// Whether more of it follows, or should have, so that it can't have arrived.
        var isPart = false
        /// Bytes sent after it that belong to no answer.
        var besides: UInt64 = 0
        /// Whether what was announced last belongs to none.
        var isBeside = false
        /// Why the connection broke, as first reported by the system.
        var failure: Int32 = 0
        /// The first answer that was given up: it and those after it never arrive.
        var givenUp = UInt64.max
        /// The request that is never answered, after which none is handled.
        var withheld = UInt64.max
        /// The last answer that was not lost, known once the connection has ended.
        var arrived: UInt64 = 0
    }

    private let state: Mutex<State>

    init(_ descriptor: Int32, isSecured: Bool) {
        state = Mutex(State(descriptor: descriptor, isSecured: isSecured))
    }

    /// Counts a request that is handed to its handler.
    func begin() -> ResponseTicket {
        ResponseTicket(
            self,
            state.withLock {
                $0.begun += 1
                return $0.begun
            })
    }

    /// To be called before the connection ends in place of an answer to the last request. A client that sees the end may
    /// ask again by another connection before its system has closed this one.
    func withhold() {
        state.withLock { $0.withheld = $0.begun }
    }

    /// To be called before the answers to all requests so far are sent, without the one that is withheld. If all of them
    /// were sent before, it is something else: a 100, or the refusal of what no handler was given. What becomes of that
    /// says nothing of the answer before it.
    /// - Parameters:
    ///   - count: their bytes.
    ///   - isPart: whether the last of them continues, for which this is to be called again.
    /// - Returns: false if one of them was given up, so that none may be sent.
    func willSend(_ count: Int, isPart: Bool) -> Bool {
        state.withLock { state in
            guard state.givenUp == .max else { return false }
            let last = min(state.begun, state.withheld - 1)
            state.isBeside = last == state.sent && !state.isPart
            guard !state.isBeside else {
                state.besides += UInt64(count)
                return true
            }
            state.sent = last
            state.sentBytes += UInt64(count) + state.besides
            state.besides = 0
            state.isPart = isPart
            return true
        }
    }

    /// Says that the system will not be given all that was announced last.
    func didCut() {
        state.withLock { if !$0.isBeside { $0.isPart = true } }
    }

    /// To be called before bytes are sent that belong to no answer, such as those of a handshake.
    func willSendBefore(_ count: UInt64) {
        guard count > 0 else { return }
        state.withLock { $0.besides += count }
    }

    /// To be called before more is sent than was announced, which is what encryption adds to an answer.
    func willSendWith(_ count: UInt64) {
        state.withLock { state in
            if state.isBeside { state.besides += count } else { state.sentBytes += count }
        }
    }

    /// Says that the connection broke.
    /// - Parameter failure: the system's number for how.
    func didBreak(_ failure: Int32) {
        state.withLock { if $0.failure == 0 { $0.failure = failure } }
    }

    /// Whether the other side should take the end of the connection for a failure, as always after an answer was given
    /// up.
    func setReset(atClose resets: Bool) {
        state.withLock { state in
            guard let descriptor = state.descriptor, resets || state.givenUp == .max else { return }
            Sockets.setReset(of: descriptor, atClose: resets)
        }
    }

    /// To be called before the descriptor is closed.
    func end() {
        state.withLock { state in
            guard state.descriptor != nil else { return }
            let last = state.sent
            // What is to follow a part won't come any more.
            state.arrived = last > 0 && (state.isPart || state.hasLost(last)) ? last - 1 : last
            state.descriptor = nil
        }
    }

    func giveUp(_ number: UInt64) -> Bool {
        state.withLock { state in
            guard number < min(state.givenUp, state.withheld) else { return true }
            guard let descriptor = state.descriptor else { return number > state.arrived }
            guard state.hasLost(number) else { return false }
            state.givenUp = number
            // Without lingering the system drops what it still has to send.
            Sockets.setReset(of: descriptor, atClose: true)
            shutdown(descriptor, Int32(SHUT_RDWR))
            return true
        }
    }
}

extension DeliveryTracker.State {
    /// Whether an answer is known not to have arrived.
    fileprivate mutating func hasLost(_ number: UInt64) -> Bool {
        // A client that asks again has the answers before.
        guard let descriptor, number >= sent else { return false }
        // The client left while its answer was made.
        if number > sent {
            return isSecured ? Sockets.hasShutSending(descriptor) : Sockets.leave(of: descriptor) != .none
        }
        guard let transmission = Transmission(of: descriptor) else { return false }
        if isPart, transmission.isOver { return true }
        guard transmission.acknowledgedBytes < sentBytes else { return false }
        guard transmission.isOver else { return transmission.isUnanswered }
        if failure == 0 {
            var size = socklen_t(MemoryLayout<Int32>.size)
            _ = unsafe getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &failure, &size)
        }
        // A client that had closed before the answer came breaks the pipe. One that resets the connection may have read the
        // answer just before, without its system having said so yet.
        return failure == EPIPE || transmission.isUnanswered
    }
}
