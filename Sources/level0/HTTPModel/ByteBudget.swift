internal import Synchronization

/// A limit on the bytes of bodies and answers that a server holds at a time, shared by all its threads.
///
/// The small amount that most requests need is not counted; of the rest, an eighth is reserved for small ones.
public final class ByteBudget: Sendable {
    /// What the bytes are for, which decides how much of the budget is available.
    enum Purpose {
        /// A body, or the answer to a read: refused if there is no room.
        case ordinary
        /// The answer to a completed write. It may use the reserve for small requests and as much again, because the
        /// client should learn of the write.
        case doneWrite
    }

    private let most: Atomic<Int>
    private let held = Atomic<Int>(0)
    private let highest = Atomic<Int>(0)
    /// The largest amount by which a refused request exceeded the budget.
    private let missing = Atomic<Int>(0)

    /// Requests that hold at most this many bytes are small.
    private static let smallBytes = 256 << 10

    /// Creates an unspent budget of that many bytes.
    public init(_ limit: Int) {
        most = Atomic(limit)
    }

    /// The maximum number of bytes held at a time. If set below those held, grants wait until fewer are.
    public var limit: Int {
        get { most.load(ordering: .relaxed) }
        set { most.store(newValue, ordering: .relaxed) }
    }

    /// The number of bytes currently held.
    public var heldBytes: Int { held.load(ordering: .relaxed) }

    /// The maximum number of bytes held since the last reset.
    public var highestBytes: Int { highest.load(ordering: .relaxed) }

    /// Resets `highestBytes`.
    public func forgetHighest() {
        highest.store(heldBytes, ordering: .relaxed)
    }

    /// Returns whether that many bytes are currently available.
    public func hasRoom(for bytes: Int) -> Bool {
        let excess = heldBytes + bytes - room(for: bytes, .ordinary)
        if excess > 0 { missing.max(excess, ordering: .relaxed) }
        return excess <= 0
    }

    /// Returns how many more bytes would have sufficed for any one of the requests refused since the last call.
    public func takeMissingBytes() -> Int {
        missing.load(ordering: .relaxed) == 0 ? 0 : missing.exchange(0, ordering: .relaxed)
    }

    private func room(for whole: Int, _ purpose: Purpose) -> Int {
        let limit = limit
        // Reserved for small requests.
        let reserve = limit / 8
        return switch purpose {
        case .doneWrite: limit + reserve
        case .ordinary: whole <= Self.smallBytes ? limit : limit - reserve
        }
    }

    /// Takes bytes for a request that will then hold `whole` in all.
    fileprivate func take(_ bytes: Int, of whole: Int, for purpose: Purpose) -> Bool {
        let room = room(for: whole, purpose)
        var before = heldBytes
        while before + bytes <= room {
            let (exchanged, current) = held.weakCompareExchange(
                expected: before, desired: before + bytes, ordering: .relaxed)
            if exchanged {
                highest.max(before + bytes, ordering: .relaxed)
                return true
            }
            before = current
        }
        missing.max(before + bytes - room, ordering: .relaxed)
        return false
    }

    fileprivate func giveBack(_ bytes: Int) {
        held.subtract(bytes, ordering: .relaxed)
    }
}

/// The share of a budget held by one request or one answer. It is returned with the last reference, on every path.
public final class ByteReservation: Sendable {
    /// The number of bytes that aren't counted: a connection holds them anyway.
    public static let freeBytes = 16 << 10
    /// The step size in bytes, so that growing costs almost nothing.
    public static let step = 64 << 10

    private let budget: ByteBudget
    /// Only one thread at a time changes it, as the answer is passed on.
    private let taken = Atomic<Int>(0)

    /// Creates an empty reservation.
    public init(_ budget: ByteBudget) {
        self.budget = budget
    }

    deinit {
        budget.giveBack(taken.load(ordering: .relaxed))
    }

    /// Resizes the reservation to cover that many bytes.
    /// - Returns: false if the budget has no room; the previous reservation is then kept.
    public func cover(_ bytes: Int) -> Bool {
        cover(bytes, for: .ordinary)
    }

    /// Does the same for the answer to a completed write, which is refused last.
    public func coverDoneWrite(_ bytes: Int) -> Bool {
        cover(bytes, for: .doneWrite)
    }

    private func cover(_ bytes: Int, for purpose: ByteBudget.Purpose) -> Bool {
        let wanted = bytes <= Self.freeBytes ? 0 : (bytes + Self.step - 1) / Self.step * Self.step
        let before = taken.load(ordering: .relaxed)
        if wanted > before {
            guard budget.take(wanted - before, of: wanted, for: purpose) else { return false }
        } else {
            budget.giveBack(before - wanted)
        }
        taken.store(wanted, ordering: .relaxed)
        return true
    }
}
