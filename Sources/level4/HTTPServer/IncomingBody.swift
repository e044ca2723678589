/// The body of a request that is still arriving: tracks whether it arrives fast enough, and whether it must make room
/// for others if it is slow.
struct IncomingBody {
    private var pace: TransferRate
    private var received = 0

    /// Starts when the head has arrived. Bytes that came with the head say nothing about the speed of the rest.
    init(_ limits: LimitsSnapshot, now: UInt64) {
        pace = .body(limits, now: now)
    }

    /// When it has to be checked next.
    var deadline: UInt64 { pace.deadline }

    mutating func receive(_ count: Int) {
        received += count
    }

    /// Checks at the deadline whether enough has arrived. A body that was slow for a whole window has to make room for
    /// others from then on.
    /// - Parameter held: the bytes that the request holds so far.
    mutating func goesOn(on socket: LoopSocket, of block: AddressCounts.Block?, holding held: Int) -> Bool {
        let loop = socket.loop
        guard pace.note(passed: received, now: loop.clock.now) else { return false }
        if let rate = pace.takeRate() {
            socket.slowness = loop.state.slow.note(
                socket.slowness, block, bytes: held, rate: rate, within: loop.state.budget)
        }
        return true
    }
}
