internal import HTTPModel

/// What the request that a connection reads or handles, and the output, hold of the budget.
final class ConnectionReservation {
    private let budget: ByteBudget
    private var charge: ByteReservation?

    init(_ budget: ByteBudget) {
        self.budget = budget
    }

    /// Whether anything was ever held.
    var isCounted: Bool { charge != nil }

    /// Makes it cover that many bytes.
    /// - Returns: false if the budget has no room for them.
    func cover(_ bytes: Int) -> Bool {
        if charge == nil, bytes <= ByteReservation.freeBytes { return true }
        return counted.cover(bytes)
    }

    /// The charge itself, for who covers bytes on another thread.
    var counted: ByteReservation {
        if let charge { return charge }
        let made = ByteReservation(budget)
        charge = made
        return made
    }
}
