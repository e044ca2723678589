import HTTPModel
import Synchronization

/// Who was told that a change was done, by the change's receipt, while the server may be asked for it again.
///
/// Of any number of requests that are the same in everything one alone may be told that it won. A change that is sent
/// again is taken for a repetition only where this server did it and the answer is known not to have arrived, so that two
/// clients that share an installation's id don't both win. What this server doesn't know, or not any more, counts as
/// arrived: another server may have told somebody.
final class AcknowledgedChanges: Sendable {
    fileprivate struct Entry {
        /// Who was told; nil while that is still to come.
        var winner: ResponseTicket?
        /// Those whose requests are being done, each of which may be the one that does it.
        var underWay: [ResponseTicket] = []
        /// Repetitions that wait to hear which of these it was.
        var waiting: [CheckedContinuation<Void, Never>] = []

        var isUndecided: Bool { winner == nil && !underWay.isEmpty }
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
    func begin(_ key: [UInt8], _ ticket: ResponseTicket) {
        state.withLock { $0.entries[key, default: Entry()].underWay.append(ticket) }
    }

    /// Takes note of how it ended.
    /// - Parameter isDone: whether it was done now, so that it is told so.
    func end(_ key: [UInt8], _ ticket: ResponseTicket, isDone: Bool) {
        let waiting = state.withLock { state in
            if isDone {
                if state.entries[key]?.winner == nil { state.told.append(key) }
                state.entries[key]?.winner = ticket
            }
            let waiting = state.leave(key, ticket)
            state.forget(beyond: Self.most)
            return waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Whether a request may be told that it won, though another of the same words did: where that one is told in vain.
    /// Waits for those under way that may have done it.
    func claim(_ key: [UInt8], _ ticket: ResponseTicket) async -> Bool {
        // It did not do it itself, so that nobody has to wait for it.
        for continuation in state.withLock({ $0.leave(key, ticket) }) { continuation.resume() }
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let isDecided = state.withLock { state in
                guard state.entries[key]?.isUndecided == true else { return true }
                state.entries[key]?.waiting.append(continuation)
                return false
            }
            if isDecided { continuation.resume() }
        }
        return state.withLock { state in
            guard let winner = state.entries[key]?.winner, winner.giveUp() else { return false }
            state.entries[key]?.winner = ticket
            return true
        }
    }
}

extension AcknowledgedChanges.State {
    /// Takes a request from those under way.
    /// - Returns: who need not wait any longer.
    fileprivate mutating func leave(_ key: [UInt8], _ ticket: ResponseTicket) -> [CheckedContinuation<Void, Never>] {
        guard var entry = entries[key] else { return [] }
        entry.underWay.removeAll { $0.isSame(as: ticket) }
        var waiting: [CheckedContinuation<Void, Never>] = []
        if !entry.isUndecided { swap(&waiting, &entry.waiting) }
        entries[key] = entry.winner == nil && entry.underWay.isEmpty ? nil : entry
        return waiting
    }

    fileprivate mutating func forget(beyond most: Int) {
        while told.count - head > most {
            entries[told[head]]?.winner = nil
            if entries[told[head]]?.underWay.isEmpty == true { entries[told[head]] = nil }
            head += 1
        }
        guard head > most else { return }
        told.removeFirst(head)
        head = 0
    }
}
