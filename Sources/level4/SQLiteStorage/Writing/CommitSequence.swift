/// Decides which writes share a commit, when they start over, and when each is answered, for a `WriteBatch` but without
/// a database. Each call reports what happened, and returns what to do next.
struct CommitSequence {
    enum Action: Equatable {
        /// Begin a transaction.
        case begin
        case perform(Int, withSavepoint: Bool)
        /// Roll back the transaction, and begin another.
        case beginAnew
        case commit
        /// SQLite has aborted the transaction, with everything done in it.
        case giveUp
        /// Tell these writes the result of the commit.
        case answer(Range<Int>)
        /// Tell these writes that they can't begin.
        case refuse(Range<Int>)
        case end
    }

    private enum Phase {
        case closed, open, ending, answering
    }

    private let count: Int
    private let alone: [Int]
    /// The writes done in this transaction.
    private var done = 0..<0
    private var hasSavepoints = false
    private var phase = Phase.closed

    /// - Parameters:
    ///   - count: the number of writes.
    ///   - alone: those that need a commit of their own.
    init(count: Int, alone: [Int]) {
        self.count = count
        self.alone = alone
    }

    /// The first action.
    var first: Action { count > 0 ? .begin : .end }

    /// Reports that a transaction has begun.
    mutating func begun() -> Action {
        assert(phase == .closed, "a transaction begins when the one before has ended")
        assert(done.isEmpty && done.upperBound < count, "a transaction begins with a write that is still to be done")
        phase = .open
        return .perform(done.upperBound, withSavepoint: hasSavepoints)
    }

    /// Reports that a write was done, or has failed without leaving anything behind.
    mutating func performed(isInTransaction: Bool) -> Action {
        assert(phase == .open && done.upperBound < count, "each write is done once, in a transaction")
        let next = done.upperBound + 1
        done = done.lowerBound..<next
        assert(done.count == 1 || !alone.contains(where: done.contains), "who needs a commit alone shares none")
        if isInTransaction, next < count, !alone.contains(next - 1), !alone.contains(next) {
            return .perform(next, withSavepoint: hasSavepoints)
        }
        phase = .ending
        return isInTransaction ? .commit : .giveUp
    }

    /// Reports that a write without a savepoint has failed and may have left something behind.
    mutating func spoiled() -> Action {
        assert(phase == .open, "a write is done in a transaction")
        precondition(!hasSavepoints, "what has a savepoint leaves nothing behind")
        // Writes rarely fail halfway, so a savepoint for each would cost more than starting over.
        hasSavepoints = true
        done = done.lowerBound..<done.lowerBound
        phase = .closed
        return .beginAnew
    }

    /// Reports that the commit is durable.
    mutating func committed() -> Action {
        assert(phase == .ending && !done.isEmpty, "a transaction is committed once, with a write")
        phase = .answering
        return .answer(done)
    }

    /// Reports that no transaction could begin, or that it failed.
    mutating func failed() -> Action {
        assert(phase == .closed || phase == .ending, "only the ends of a transaction fail as a whole")
        assert((phase == .closed) == done.isEmpty, "writes are done in a transaction")
        guard phase == .ending else { return .refuse(done.lowerBound..<count) }
        phase = .answering
        return .answer(done)
    }

    /// Reports that the waiting callers were told the result of the commit.
    mutating func answered() -> Action {
        assert(phase == .answering && !done.isEmpty, "writes are answered once, when their commit has ended")
        phase = .closed
        hasSavepoints = false
        done = done.upperBound..<done.upperBound
        return done.lowerBound < count ? .begin : .end
    }
}
