import HTTPModel
import Synchronization

/// Who was told that a change was done, by the change's receipt, while the server may be asked for it again.
///
/// Of any number of requests that are the same in everything one alone may be told that it won. A change that is sent
/// again is taken for a repetition only where the answer to the first has not arrived, so that two clients that share an
/// installation's id don't both win. What this server doesn't know any more, or another server did, counts as arrived.
final class GivenAnswers: Sendable {
    fileprivate struct Entry {
        /// Who was told; nil while that is still to come.
        var winner: AnswerTicket?
        /// Whether somebody was told an error: the change may have been done all the same, and nobody told so.
        var isUntold = false
        /// Those whose requests are being done.
        var underWay: [AnswerTicket] = []
    }

    fileprivate struct State {
        var entries: [[UInt8]: Entry] = [:]
        /// The keys of those that were told, in their order.
        var told: [[UInt8]] = []
        /// The first of these that is not forgotten.
        var head = 0
    }

    /// Beyond so many the first are forgotten.
    private static let most = 20_000

    private let state = Mutex(State())

    /// Takes note of a request before it is done.
    func begin(_ key: [UInt8], _ ticket: AnswerTicket) {
        state.withLock { $0.entries[key, default: Entry()].underWay.append(ticket) }
    }

    /// Takes note of what came of it.
    /// - Parameter isDone: whether it was done now, so that it is told so.
    func end(_ key: [UInt8], _ ticket: AnswerTicket, isDone: Bool) {
        state.withLock { state in
            guard var entry = state.entries[key] else { return }
            entry.underWay.removeAll { $0.isSame(as: ticket) }
            // One that was sent again meanwhile may have been told already.
            if isDone, entry.winner == nil {
                entry.winner = ticket
                state.told.append(key)
            }
            let isKnown = entry.winner != nil || entry.isUntold || !entry.underWay.isEmpty
            state.entries[key] = isKnown ? entry : nil
            state.forget(beyond: Self.most)
        }
    }

    /// Takes note that an error was told.
    func fail(_ key: [UInt8], _ ticket: AnswerTicket) {
        state.withLock { state in
            guard var entry = state.entries[key] else { return }
            entry.underWay.removeAll { $0.isSame(as: ticket) }
            if entry.winner == nil, !entry.isUntold {
                entry.isUntold = true
                state.told.append(key)
            }
            state.entries[key] = entry
            state.forget(beyond: Self.most)
        }
    }

    /// Whether a request may be told that it won, though another of the same words did: where that one was told in vain.
    func claim(_ key: [UInt8], _ ticket: AnswerTicket) -> Bool {
        state.withLock { state in
            guard var entry = state.entries[key] else { return false }
            let others = entry.winner.map { [$0] } ?? entry.underWay.filter { !$0.isSame(as: ticket) }
            guard !others.isEmpty || entry.isUntold, others.allSatisfy(\.isLost) else { return false }
            for other in others { other.cut() }
            if entry.winner == nil { state.told.append(key) }
            entry.winner = ticket
            state.entries[key] = entry
            return true
        }
    }
}

extension GivenAnswers.State {
    fileprivate mutating func forget(beyond most: Int) {
        while told.count - head > most {
            entries[told[head]] = nil
            head += 1
        }
        guard head > most else { return }
        told.removeFirst(head)
        head = 0
    }
}
