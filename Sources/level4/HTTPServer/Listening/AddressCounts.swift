internal import Synchronization

/// How many connections each address has open. An address without any takes no room, so that the table is never larger
/// than the number of connections, and nothing but closing connections takes one off.
final class AddressCounts: Sendable {
    /// What connections are counted by: an IPv4 address, or the first 64 bits of an IPv6 address, as a household or a
    /// rented machine has all the addresses that begin with them.
    enum Block: Hashable, Sendable {
        case version4(UInt32)
        case version6(UInt64)
    }

    private let counts = Mutex<[Block: Int]>([:])

    /// Counts a connection.
    /// - Returns: how many the address has with it.
    func enter(_ block: Block) -> Int {
        counts.withLock { counts in
            let count = counts[block, default: 0] + 1
            counts[block] = count
            return count
        }
    }

    /// Counts it as closed.
    func leave(_ block: Block) {
        counts.withLock { counts in
            guard let count = counts[block] else { return }
            counts[block] = count > 1 ? count - 1 : nil
        }
    }

    /// How many addresses have connections.
    var blockCount: Int { counts.withLock { $0.count } }
}
