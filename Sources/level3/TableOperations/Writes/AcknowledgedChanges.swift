import HTTPModel
import Synchronization

/// The winners of changes, by receipt, for as long as the server may be asked for a change again.
///
/// Of any number of identical requests, only one may be told that it won. A change that is sent again counts as a
/// repeat only if this server did it and the answer is known not to have arrived, so that two clients that share an
/// installation's id don't both win. Anything this server doesn't know, or no longer knows, counts as arrived: another
/// server may have answered it.
final class AcknowledgedChanges: Sendable {
    fileprivate struct Entry {
        /// The one that was told; nil until then.
        var winner: ResponseTicket?
        /// Requests in progress, any of which may be the one that makes the change.
        var underWay: [ResponseTicket] = []
        /// Repeats that wait to hear which of these it was.
        var waiting: [CheckedContinuation<Void, Never>] = []

        var isUndecided: Bool { winner == nil && !underWay.isEmpty }
    }

    fileprivate struct State {
        var entries: [[UInt8]: Entry] = [:]
        /// The keys of those that were told, in order.
        var told: [[UInt8]] = []
        /// The index of the first of these that isn't forgotten.
        var head = 0
    }

    /// Beyond this many, the oldest are forgotten.
    private static let most = 20_000

    private let state = Mutex(State())

    /// Records a request before it is done.
    func begin(_ key: [UInt8], _ ticket: ResponseTicket) {
        state.withLock { $0.entries[key, default: Entry()].underWay.append(ticket) }
    }

    /// Records how a request ended.
    /// - Parameter isDone: whether it made the change now, and is told so.
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

    /// Returns whether a request may be told that it won although an identical one did: if that one's answer was lost.
    /// Waits for requests in progress that may have done it.
    func claim(_ key: [UInt8], _ ticket: ResponseTicket) async -> Bool {
        // It did not make the change itself, so no one has to wait for it.
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
    /// Removes a request from those in progress.
    /// - Returns: those that no longer have to wait.
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
