internal import Synchronization

/// How many bytes of bodies and answers a server may hold at a time, counted by all its threads together.
///
/// What little most requests need is not counted; of the rest, an eighth is kept for small ones.
public final class ByteBudget: Sendable {
    /// What the bytes are for, which decides how far the budget goes.
    enum Purpose {
        /// A body, or the answer to a read: refused if there is no room.
        case ordinary
        /// The answer to a write that is done already. It may also take as much again as is kept for small requests, as
        /// the client should learn of it.
        case doneWrite
    }

    private let most: Atomic<Int>
    private let held = Atomic<Int>(0)
    private let highest = Atomic<Int>(0)
    /// How much more room would have been enough for those that were refused.
    private let missing = Atomic<Int>(0)

    /// A request that holds no more than this is small.
    private static let smallBytes = 256 << 10

    /// Makes an unspent budget of that many bytes.
    public init(_ limit: Int) {
        most = Atomic(limit)
    }

    /// The most bytes held at a time. Where it falls below what is held, nothing more is given out until that is less.
    public var limit: Int {
        get { most.load(ordering: .relaxed) }
        set { most.store(newValue, ordering: .relaxed) }
    }

    /// The bytes held now.
    public var heldBytes: Int { held.load(ordering: .relaxed) }

    /// The most that was held since this was forgotten last.
    public var highestBytes: Int { highest.load(ordering: .relaxed) }

    /// Resets `highestBytes`.
    public func forgetHighest() {
        highest.store(heldBytes, ordering: .relaxed)
    }

    /// Whether that many bytes are available now.
    public func hasRoom(for bytes: Int) -> Bool {
        let excess = heldBytes + bytes - room(for: bytes, .ordinary)
        if excess > 0 { missing.max(excess, ordering: .relaxed) }
        return excess <= 0
    }

    /// How much more room would have done for all that were refused since this was asked last, one by one.
    public func takeMissingBytes() -> Int {
        missing.load(ordering: .relaxed) == 0 ? 0 : missing.exchange(0, ordering: .relaxed)
    }

    private func room(for whole: Int, _ purpose: Purpose) -> Int {
        let limit = limit
        // What only small requests get.
        let reserve = limit / 8
        return switch purpose {
        case .doneWrite: limit + reserve
        case .ordinary: whole <= Self.smallBytes ? limit : limit - reserve
        }
    }

    /// Takes bytes for a request that will hold `whole` with them.
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

/// What one request or one answer holds of a budget. It is given back with the last reference, whatever the way there.
public final class ByteReservation: Sendable {
    /// So much is not counted: a connection holds it anyway.
    public static let freeBytes = 16 << 10
    /// Bytes are taken in steps of this size, so that growing costs next to nothing.
    public static let step = 64 << 10

    private let budget: ByteBudget
    /// Only one thread at a time changes it, as the answer goes from hand to hand.
    private let taken = Atomic<Int>(0)

    /// Holds nothing yet.
    public init(_ budget: ByteBudget) {
        self.budget = budget
    }

    deinit {
        budget.giveBack(taken.load(ordering: .relaxed))
    }

    /// Changes the reservation to what that many bytes need, more or less than before.
    /// - Returns: false if the budget has no room; the previous reservation then stays.
    public func cover(_ bytes: Int) -> Bool {
        cover(bytes, for: .ordinary)
    }

    /// The same for the answer to a write that is done, which is refused last.
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
