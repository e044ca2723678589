/// The body of a request that still comes: whether it comes fast enough, and what is to give way to others where it comes
/// slowly.
struct IncomingBody {
    private var pace: Pace
    private var received = 0

    /// A body whose head has come. What came with that is no sign of how fast the rest comes.
    init(_ limits: LimitsInForce, now: UInt64) {
        pace = .body(limits, now: now)
    }

    /// When it has to be looked at next.
    var deadline: UInt64 { pace.deadline }

    mutating func receive(_ count: Int) {
        received += count
    }

    /// To be asked at the deadline: whether as much has come as has to. Who was slow for a whole window gives way to others
    /// from then on.
    /// - Parameter held: what the request takes so far.
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
