/// Tracks what clients hold of the budget that have been slow for a whole window, and decides which of them give way.
///
/// It is pure: it knows neither sockets nor a clock.
struct SlowClientEviction {
    /// Identifies a client.
    typealias Number = Int

    private struct Holder {
        let block: AddressCounts.Block?
        var bytes = 0
        var rate = 0
    }

    private var holders: [Number: Holder] = [:]

    /// The number of bytes they hold together.
    var bytes: Int { holders.values.reduce(0) { $0 + $1.bytes } }

    /// Records the bytes that a client holds, and its rate in bytes per second.
    /// - Parameter block: its address; nil for one that many share.
    mutating func note(_ number: Number, _ block: AddressCounts.Block?, bytes: Int, rate: Int) {
        holders[number, default: Holder(block: block)].bytes = bytes
        holders[number]?.rate = rate
    }

    /// Removes a client that is gone or no longer slow.
    mutating func end(_ number: Number) {
        holders[number] = nil
    }

    /// Makes as many clients give way as necessary for the rest to stay within the limit, and for those of one address
    /// to stay within theirs. Those that give way are removed.
    ///
    /// The slowest go first: a client that holds memory and takes next to nothing is hardly missed. At equal rates, the
    /// one that holds most goes first.
    mutating func giveWay(limit: Int, addressLimit: Int) -> [Number] {
        var together = bytes
        var ofAddresses: [AddressCounts.Block: Int] = [:]
        for case let holder in holders.values {
            if let block = holder.block { ofAddresses[block, default: 0] += holder.bytes }
        }
        guard together > limit || ofAddresses.values.contains(where: { $0 > addressLimit }) else { return [] }
        let slowestFirst = holders.sorted { one, other in
            if one.value.rate != other.value.rate { return one.value.rate < other.value.rate }
            return (one.value.bytes, one.key) > (other.value.bytes, other.key)
        }
        var gone: [Number] = []
        func give(_ number: Number, _ holder: Holder) {
            holders[number] = nil
            together -= holder.bytes
            if let block = holder.block { ofAddresses[block, default: 0] -= holder.bytes }
            gone.append(number)
        }
        for (number, holder) in slowestFirst {
            guard let block = holder.block, ofAddresses[block, default: 0] > addressLimit else { continue }
            give(number, holder)
        }
        for (number, holder) in slowestFirst where together > limit && holders[number] != nil {
            give(number, holder)
        }
        return gone
    }
}
