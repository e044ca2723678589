internal import HTTPModel
internal import Synchronization

/// The clients of a server that have been slow for a whole window, with what they hold of its budget: a body that is
/// still arriving, or an answer that they are still taking.
///
/// They may take as long as they like while there is room. Together they hold at most half of the budget, those of one
/// address a quarter. When three quarters are in use altogether, or a request was refused, they are the first to go, so
/// that a retry finds room.
final class SlowClients: Sendable {
    /// One slow client, for as long as this object lives.
    final class Place: Sendable {
        fileprivate let number: SlowClientEviction.Number
        private let clients: SlowClients
        private let notice: Notice

        fileprivate init(_ number: SlowClientEviction.Number, _ notice: Notice, _ clients: SlowClients) {
            self.number = number
            self.notice = notice
            self.clients = clients
        }

        deinit {
            clients.end(number)
        }

        /// Whether it has to make room for others.
        var givesWay: Bool { notice.isGiven.load(ordering: .relaxed) }
    }

    /// Tells a place to give way. Separate from the place, which must not be released while the lock is held.
    fileprivate final class Notice: Sendable {
        let isGiven = Atomic<Bool>(false)
    }

    private struct Held {
        var share = SlowClientEviction()
        var notices: [SlowClientEviction.Number: Notice] = [:]
        var next = 0
    }

    private let held = Mutex(Held())
    private let count = Atomic<Int>(0)
    private let givenUp = Atomic<Int>(0)

    /// How many have been made to give way. Loops compare it with the last value they saw.
    var givenUpCount: Int { givenUp.load(ordering: .relaxed) }

    /// Records the bytes that a client holds, and its rate in bytes per second.
    /// - Parameter place: its place; nil if this is its first slow window.
    func note(
        _ place: Place?, _ block: AddressCounts.Block?, bytes: Int, rate: Int, within budget: ByteBudget
    ) -> Place {
        held.withLock { held in
            let mine: Place
            if let place {
                mine = place
            } else {
                let notice = Notice()
                mine = Place(held.next, notice, self)
                held.notices[held.next] = notice
                held.next += 1
                count.add(1, ordering: .relaxed)
            }
            held.share.note(mine.number, block, bytes: bytes, rate: rate)
            giveWay(in: &held, limit: budget.limit / 2, addressLimit: budget.limit / 4)
            return mine
        }
    }

    /// Makes slow clients give way if others were refused for lack of room, or soon will be.
    func makeRoom(in budget: ByteBudget) {
        let missing = budget.takeMissingBytes()
        guard count.load(ordering: .relaxed) > 0 else { return }
        let excess = max(missing, budget.heldBytes - budget.limit / 4 * 3)
        guard excess > 0 else { return }
        held.withLock { held in
            giveWay(in: &held, limit: max(0, held.share.bytes - excess), addressLimit: budget.limit / 4)
        }
    }

    private func giveWay(in held: inout Held, limit: Int, addressLimit: Int) {
        let numbers = held.share.giveWay(limit: limit, addressLimit: addressLimit)
        guard !numbers.isEmpty else { return }
        for number in numbers { held.notices[number]?.isGiven.store(true, ordering: .relaxed) }
        givenUp.add(numbers.count, ordering: .relaxed)
    }

    private func end(_ number: SlowClientEviction.Number) {
        count.subtract(1, ordering: .relaxed)
        held.withLock { held in
            held.share.end(number)
            held.notices[number] = nil
        }
    }
}
