/// Which writes share a commit, when they are begun anew, and when each is answered: the decisions of a `WriteBatch`,
/// without its database. Each call says what happened, and answers what to do next.
struct CommitSequence {
    enum Action: Equatable {
        /// Begin a transaction.
        case begin
        case perform(Int, withSavepoint: Bool)
        /// Undo all of the transaction, and begin another.
        case beginAnew
        case commit
        /// SQLite has given the transaction up, and with it what was done in it.
        case giveUp
        /// Tell these what became of the commit.
        case answer(Range<Int>)
        /// Tell these that they can't begin.
        case refuse(Range<Int>)
        case end
    }

    private enum Phase {
        case closed, open, ending, answering
    }

    private let count: Int
    private let alone: [Int]
    /// Those that were done in this transaction.
    private var done = 0..<0
    private var hasSavepoints = false
    private var phase = Phase.closed

    /// - Parameters:
    ///   - count: how many writes there are.
    ///   - alone: which of them have a commit of their own.
    init(count: Int, alone: [Int]) {
        self.count = count
        self.alone = alone
    }

    /// What to do first.
    var first: Action { count > 0 ? .begin : .end }

    /// A transaction has begun.
    mutating func begun() -> Action {
        assert(phase == .closed && done.isEmpty && done.upperBound < count)
        phase = .open
        return .perform(done.upperBound, withSavepoint: hasSavepoints)
    }

    /// A write was done, or has failed and left nothing behind.
    mutating func performed(isInTransaction: Bool) -> Action {
        assert(phase == .open && done.upperBound < count)
        let next = done.upperBound + 1
        done = done.lowerBound..<next
        if isInTransaction, next < count, !alone.contains(next - 1), !alone.contains(next) {
            return .perform(next, withSavepoint: hasSavepoints)
        }
        phase = .ending
        return isInTransaction ? .commit : .giveUp
    }

    /// A write without a savepoint has failed and may have left something behind.
    mutating func spoiled() -> Action {
        assert(phase == .open)
        precondition(!hasSavepoints, "what has a savepoint leaves nothing behind")
        // Hardly any write fails halfway, so that savepoints for each would cost more than to begin anew.
        hasSavepoints = true
        done = done.lowerBound..<done.lowerBound
        phase = .closed
        return .beginAnew
    }

    /// What was done is durable.
    mutating func committed() -> Action {
        assert(phase == .ending && !done.isEmpty)
        phase = .answering
        return .answer(done)
    }

    /// No transaction could begin, or it came to nothing.
    mutating func failed() -> Action {
        assert(phase == .closed ? done.isEmpty : phase == .ending && !done.isEmpty)
        guard phase == .ending else { return .refuse(done.lowerBound..<count) }
        phase = .answering
        return .answer(done)
    }

    /// Whoever waited for the commit was told.
    mutating func answered() -> Action {
        assert(phase == .answering)
        phase = .closed
        hasSavepoints = false
        done = done.upperBound..<done.upperBound
        return done.lowerBound < count ? .begin : .end
    }
}
