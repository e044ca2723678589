import Foundation
import Synchronization
import Testing
import WireTesting

@testable import WorkThreads

@Suite struct `A queue with turns` {
    /// What became of what was pushed.
    private final class Outcomes: Sendable {
        let refused = Mutex<[Int: QueueRefusal]>([:])

        func has(_ element: Int, _ refusal: QueueRefusal) -> Bool { refused.withLock { $0[element] == refusal } }
    }

    @Test func `refuses what waited too long, and what comes after its close`() async throws {
        let outcomes = Outcomes()
        let queue = FairQueue<Int>(slots: 1) { element, _, refusal in
            outcomes.refused.withLock { $0[element] = refusal }
        }
        queue.push(1, QueueTicket(of: "a", limit: .seconds(1_000), disconnect: nil, at: .now - .seconds(900)))
        #expect(try await Patience.eventually { outcomes.has(1, .waited) })
        queue.push(2, QueueTicket(of: "a", limit: .seconds(100), disconnect: nil))
        queue.close()
        queue.push(3, QueueTicket(of: "a", limit: .seconds(100), disconnect: nil))
        #expect(outcomes.has(3, .closed))
        #expect(queue.take()?.element == 2)
        #expect(queue.take() == nil)
    }

    @Test func `tells a turn at work that its client is gone`() async throws {
        let queue = FairQueue<Int>(slots: 1) { _, _, _ in }
        let disconnect = ClientDisconnect()
        queue.push(1, QueueTicket(of: "a", limit: .seconds(100), disconnect: disconnect))
        let taken = try #require(queue.take())
        let isTold = Atomic(false)
        taken.ticket.whenStopped { isTold.store(true, ordering: .relaxed) }
        #expect(taken.ticket.stopReason == nil)
        disconnect.come()
        #expect(taken.ticket.stopReason == .disconnected)
        #expect(try await Patience.eventually { isTold.load(ordering: .relaxed) })
        queue.end(taken.ticket)
    }

    @Test func `hands all work to threads that wait, as many at a time as it has slots`() async throws {
        let queue = FairQueue<Int>(slots: 2) { _, _, _ in }
        let working = Atomic(0)
        let most = Atomic(0)
        let done = Atomic(0)
        for _ in 0..<4 {
            Thread {
                while let (ticket, _) = queue.take() {
                    let count = working.add(1, ordering: .relaxed).newValue
                    most.max(count, ordering: .relaxed)
                    usleep(1_000)
                    working.subtract(1, ordering: .relaxed)
                    queue.end(ticket)
                    done.add(1, ordering: .relaxed)
                }
            }.start()
        }
        for number in 0..<200 {
            queue.push(number, QueueTicket(of: "\(number % 7)", limit: .seconds(100), disconnect: nil))
        }
        #expect(try await Patience.eventually { done.load(ordering: .relaxed) == 200 })
        #expect(most.load(ordering: .relaxed) <= 2)
        queue.close()
    }

    @Test func `hands out together what is alike and keeps the order of the rest`() throws {
        let queue = FairQueue<Int>(slots: 1) { _, _, _ in }
        func push(_ numbers: [Int]) {
            for number in numbers { queue.push(number, QueueTicket(patience: .seconds(100))) }
        }
        func take() -> [Int]? { queue.take(upTo: 3) { $0 % 2 == $1 % 2 }?.map(\.element) }
        push([1, 3, 2, 5, 7, 4])
        queue.push(6, QueueTicket(of: "a", limit: .seconds(100), disconnect: nil))
        push([8])
        queue.close()
        #expect(take() == [1, 3, 5])
        #expect(take() == [2, 4, 8])
        #expect(take() == [7])
        // What has an asker goes by itself, in its turn.
        #expect(take() == [6])
        #expect(take() == nil)
    }

    @Test func `hands quick work to all threads that wait, though few are woken`() async throws {
        let queue = FairQueue<Int>(slots: 2) { _, _, _ in }
        let most = Atomic(0)
        let working = Atomic(0)
        let done = Atomic(0)
        for _ in 0..<4 {
            Thread {
                while let work = queue.take(upTo: 2, { _, _ in true }) {
                    let count = working.add(1, ordering: .relaxed).newValue
                    most.max(count, ordering: .relaxed)
                    usleep(1_000)
                    working.subtract(1, ordering: .relaxed)
                    for (ticket, _) in work { queue.end(ticket) }
                    done.add(work.count, ordering: .relaxed)
                }
            }.start()
        }
        for round in 1...50 {
            for number in 0..<20 { queue.push(number, QueueTicket(patience: .seconds(100))) }
            #expect(try await Patience.eventually { done.load(ordering: .relaxed) == round * 20 })
        }
        #expect(most.load(ordering: .relaxed) > 1)
        queue.close()
    }
}
