internal import HTTPModel

/// The share of the budget held by the current request of a connection and by its output.
final class ConnectionReservation {
    private let budget: ByteBudget
    private var charge: ByteReservation?

    init(_ budget: ByteBudget) {
        self.budget = budget
    }

    /// Whether anything was ever reserved.
    var isCounted: Bool { charge != nil }

    /// Makes the reservation cover that many bytes.
    /// - Returns: false if the budget has no room for them.
    func cover(_ bytes: Int) -> Bool {
        if charge == nil, bytes <= ByteReservation.freeBytes { return true }
        return counted.cover(bytes)
    }

    /// The reservation itself, for code that reserves bytes on another thread.
    var counted: ByteReservation {
        if let charge { return charge }
        let made = ByteReservation(budget)
        charge = made
        return made
    }
}
