internal import HTTPModel
internal import Platform
internal import Synchronization

/// The fate of a connection's answers. The loop reports what happens; any thread may ask, even after the end.
///
/// An answer has arrived if the peer's system has acknowledged its last byte. One that hasn't arrived counts as lost
/// only if that is certain: the client left before the answer was sent, the missing bytes were retransmitted in vain,
/// or the server itself withholds it or cuts it off.
final class DeliveryTracker: RespondingConnection {
    fileprivate struct State {
        /// nil after the end.
        var descriptor: Int32?
        /// Whether the connection is encrypted, so that even a closing client sends bytes.
        var isSecured: Bool
        /// The number of requests handed to their handlers.
        var begun: UInt64 = 0
        /// The number of answers handed to the system, counted just before the call that does so.
        var sent: UInt64 = 0
        /// Where the last of them ends, in bytes from the start of the connection.
        var sentBytes: UInt64 = 0
        /// Whether more of it follows, or should have, so that it can't have arrived.
        var isPart = false
        /// The number of bytes sent after it that belong to no answer.
        var besides: UInt64 = 0
        /// Whether the last announced bytes belong to no answer.
        var isBeside = false
        /// The first error that the system reported for the connection.
        var failure: Int32 = 0
        /// The first answer that was given up: neither it nor any later one arrives.
        var givenUp = UInt64.max
        /// The request that is never answered, after which no other is handled.
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

    /// To be called before the connection ends instead of answering the last request. A client that sees the end may
    /// retry on another connection before its system has closed this one.
    func withhold() {
        state.withLock { state in
            assert(state.sent < state.begun, "what is withheld was not sent")
            state.withheld = state.begun
            assert(state.isSound)
        }
    }

    /// To be called before the answers to all requests so far are sent, except a withheld one. If all of them were sent
    /// already, the bytes are something else, a 100 or the refusal of something that no handler got, and their fate
    /// says nothing about the answer before.
    /// - Parameters:
    ///   - count: the number of bytes.
    ///   - isPart: whether the last answer continues, which takes another call of this.
    /// - Returns: false if one of them was given up, so that none may be sent.
    func willSend(_ count: Int, isPart: Bool) -> Bool {
        state.withLock { state in
            guard state.givenUp == .max else { return false }
            assert(state.descriptor != nil && state.isSound, "nothing is sent after the end")
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
            assert(state.isSound)
            return true
        }
    }

    /// Records that the system will not get all of what was announced last.
    func didCut() {
        state.withLock { state in
            assert(state.isBeside || state.sent > 0, "only what was announced is cut")
            if !state.isBeside { state.isPart = true }
        }
    }

    /// To be called before bytes are sent that belong to no answer, such as those of a handshake.
    func willSendBefore(_ count: UInt64) {
        guard count > 0 else { return }
        state.withLock { $0.besides += count }
    }

    /// To be called before more is sent than was announced, which is what encryption adds to an answer.
    func willSendWith(_ count: UInt64) {
        state.withLock { state in
            assert(state.isBeside || state.sent > 0, "more goes along with what was announced")
            if state.isBeside { state.besides += count } else { state.sentBytes += count }
        }
    }

    /// Records that the connection broke.
    /// - Parameter failure: the system's error number.
    func didBreak(_ failure: Int32) {
        state.withLock { if $0.failure == 0 { $0.failure = failure } }
    }

    /// Sets whether the peer should see the end of the connection as a failure, as it always does once an answer was
    /// given up.
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
            // The continuation of a partial answer won't come any more.
            state.arrived = last > 0 && (state.isPart || state.hasLost(last)) ? last - 1 : last
            state.descriptor = nil
            assert(state.isSound)
        }
    }

    func giveUp(_ number: UInt64) -> Bool {
        state.withLock { state in
            assert(number > 0 && number <= state.begun, "tickets are for requests that have begun")
            guard number < min(state.givenUp, state.withheld) else { return true }
            guard let descriptor = state.descriptor else { return number > state.arrived }
            guard state.hasLost(number) else { return false }
            assert(number > state.arrived && number >= state.sent, "later answers are lost with an earlier one")
            state.givenUp = number
            // Without lingering, the system discards what it has not sent yet.
            Sockets.setReset(of: descriptor, atClose: true)
            shutdown(descriptor, Int32(SHUT_RDWR))
            return true
        }
    }
}

extension DeliveryTracker.State {
    /// The invariants between any two calls.
    fileprivate var isSound: Bool { arrived <= sent && sent <= begun && sent < withheld && sent <= givenUp }

    /// Whether an answer is known not to have arrived.
    fileprivate mutating func hasLost(_ number: UInt64) -> Bool {
        // A client that sends another request has received the earlier answers.
        guard let descriptor, number >= sent else { return false }
        // The client left before its answer was ready.
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
        // If the client closed before the answer came, sending fails with EPIPE. A client that resets the connection
        // may have read the answer just before, without its system having acknowledged it.
        return failure == EPIPE || transmission.isUnanswered
    }
}
