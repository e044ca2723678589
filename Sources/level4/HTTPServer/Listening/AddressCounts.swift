internal import Synchronization

/// The number of open connections of each address. An address without any takes no space, so the table is never larger
/// than the number of connections. Only closing a connection lowers a count.
final class AddressCounts: Sendable {
    /// What connections are counted by: an IPv4 address, or the first 64 bits of an IPv6 address, since a household or
    /// a rented machine has all addresses with that prefix.
    enum Block: Hashable, Sendable {
        case version4(UInt32)
        case version6(UInt64)
    }

    private let counts = Mutex<[Block: Int]>([:])

    /// Counts a new connection.
    /// - Returns: the number of connections of the address, including it.
    func enter(_ block: Block) -> Int {
        counts.withLock { counts in
            let count = counts[block, default: 0] + 1
            counts[block] = count
            return count
        }
    }

    /// Counts a connection as closed.
    func leave(_ block: Block) {
        counts.withLock { counts in
            guard let count = counts[block] else { return }
            counts[block] = count > 1 ? count - 1 : nil
        }
    }

    /// The number of addresses with connections.
    var blockCount: Int { counts.withLock { $0.count } }
}
