internal import HTTPModel

/// What the request that a connection reads or handles, and the output, hold of the budget.
final class ConnectionCharge {
    private let budget: ByteBudget
    private var charge: ByteCharge?

    init(_ budget: ByteBudget) {
        self.budget = budget
    }

    /// Whether anything was ever held.
    var isCounted: Bool { charge != nil }

    /// Makes it cover that many bytes.
    /// - Returns: false if the budget has no room for them.
    func cover(_ bytes: Int) -> Bool {
        if charge == nil, bytes <= ByteCharge.freeBytes { return true }
        return counted.cover(bytes)
    }

    /// The charge itself, for who covers bytes on another thread.
    var counted: ByteCharge {
        if let charge { return charge }
        let made = ByteCharge(budget)
        charge = made
        return made
    }
}
