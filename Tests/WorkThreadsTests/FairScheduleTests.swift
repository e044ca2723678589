import ByteText
import Testing

@testable import WorkThreads

@Suite struct `Turns that are shared out` {
    private let begin = ContinuousClock.now
    private let limit = Duration.seconds(5)

    private func ticket(_ asker: String, _ milliseconds: Int = 0, disconnect: ClientDisconnect? = nil) -> QueueTicket {
        QueueTicket(of: asker, limit: limit, disconnect: disconnect, at: time(milliseconds))
    }

    private func time(_ milliseconds: Int) -> ContinuousClock.Instant { begin + .milliseconds(milliseconds) }

    private func schedule(slots: Int, _ limits: QueueLimits = QueueLimits()) -> FairSchedule<Int> {
        FairSchedule(slots: slots, limits: limits)
    }

    @Test func `go to whoever has the least at work, however many another asked for before`() throws {
        var schedule = schedule(slots: 3)
        for number in 0..<5 { #expect(schedule.add((ticket("a", number), number)) == nil) }
        #expect(schedule.next(at: time(5))?.element == 0)
        #expect(schedule.next(at: time(5))?.element == 1)
        #expect(schedule.add((ticket("b", 6), 10)) == nil)
        #expect(schedule.next(at: time(6))?.element == 10)
        #expect(schedule.next(at: time(6)) == nil)
        #expect(!schedule.hasNext)
    }

    @Test func `are those of one asker and not of another whose name looks alike`() {
        var limits = QueueLimits()
        limits.waitingOfOne = 2
        var schedule = schedule(slots: 1, limits)
        for number in 0..<2 { #expect(schedule.add((ticket("jos\u{E9}", number), number)) == nil) }
        #expect(schedule.add((ticket("jos\u{E9}", 2), 2)) == .full)
        #expect(schedule.add((ticket("jose\u{301}", 3), 3)) == nil)
    }

    @Test func `go to whoever has used less time before`() throws {
        var schedule = schedule(slots: 1)
        _ = schedule.add((ticket("a"), 0))
        let next = schedule.next(at: time(0))
        let first = try #require(next)
        schedule.end(first.ticket, at: time(1_000))
        _ = schedule.add((ticket("a", 1_000), 1))
        _ = schedule.add((ticket("b", 1_001), 2))
        #expect(schedule.next(at: time(1_001))?.element == 2)
    }

    @Test func `leave the threads that are for quick work to it, which else goes by its arrival`() throws {
        var schedule = schedule(slots: 1)
        _ = schedule.add((ticket("a", 0), 0))
        _ = schedule.add((ticket("a", 1), 1))
        _ = schedule.add((QueueTicket(patience: .seconds(5), at: time(2)), 2))
        #expect(schedule.next(at: time(3))?.element == 0)
        #expect(schedule.next(at: time(3))?.element == 2)
        #expect(schedule.next(at: time(3)) == nil)
    }

    @Test func `are refused beyond so many of one asker, and so many in all`() {
        var limits = QueueLimits()
        limits.waitingOfOne = 2
        limits.waiting = 3
        var schedule = schedule(slots: 1, limits)
        #expect(schedule.add((ticket("a"), 0)) == nil)
        #expect(schedule.add((ticket("a"), 1)) == nil)
        #expect(schedule.add((ticket("a"), 2)) == .full)
        #expect(schedule.add((ticket("b"), 3)) == nil)
        #expect(schedule.add((ticket("c"), 4)) == .full)
        #expect(QueueLimits().waitingOfOne == 256 && QueueLimits().waiting == 1_024)
    }

    @Test func `end by what is left of their time after the wait`() throws {
        var schedule = schedule(slots: 1)
        _ = schedule.add((ticket("a"), 0))
        _ = schedule.add((ticket("b", 1), 1))
        _ = schedule.add((ticket("c", 2), 2))
        let next = schedule.next(at: time(0))
        let first = try #require(next)
        schedule.end(first.ticket, at: time(3_000))
        _ = schedule.next(at: time(3_000))
        var verdicts = schedule.sweep(at: time(4_001))
        #expect(verdicts.refused.isEmpty && verdicts.stopped.isEmpty)
        verdicts = schedule.sweep(at: time(4_002))
        #expect(verdicts.refused.map(\.entry.element) == [2] && verdicts.refused[0].refusal == .waited)
        verdicts = schedule.sweep(at: time(5_001))
        #expect(verdicts.stopped.map(\.refusal) == [.late])
    }

    @Test func `are late, not one too many, where all their time went by in waiting`() throws {
        var schedule = schedule(slots: 1)
        _ = schedule.add((ticket("a"), 0))
        let verdicts = schedule.sweep(at: time(5_000))
        #expect(verdicts.refused.map(\.refusal) == [.late])
    }

    @Test func `are dropped and stopped where the client is gone`() throws {
        var schedule = schedule(slots: 1)
        let disconnect = ClientDisconnect()
        _ = schedule.add((ticket("a", disconnect: disconnect), 0))
        _ = schedule.add((ticket("a", disconnect: disconnect), 1))
        _ = schedule.add((ticket("a"), 2))
        let next = schedule.next(at: time(0))
        let first = try #require(next)
        #expect(schedule.sweep(at: time(1)).refused.isEmpty)
        disconnect.come()
        let verdicts = schedule.sweep(at: time(2))
        #expect(verdicts.refused.map(\.entry.element) == [1] && verdicts.refused[0].refusal == .disconnected)
        #expect(verdicts.stopped.map(\.refusal) == [.disconnected] && verdicts.stopped[0].ticket === first.ticket)
        #expect(first.ticket.stopReason == .disconnected)
    }

    @Test func `are taken from who has many for a while, where others have none`() throws {
        var schedule = schedule(slots: 3)
        for number in 0..<3 {
            _ = schedule.add((ticket(number == 2 ? "b" : "a", number), number))
            _ = schedule.next(at: time(number))
        }
        _ = schedule.add((ticket("c", 100), 3))
        #expect(schedule.sweep(at: time(599)).stopped.isEmpty)
        let stopped = schedule.sweep(at: time(600)).stopped
        #expect(stopped.map(\.refusal) == [.crowding] && stopped[0].ticket.asker?.text == "a")
        // Who stops is not stopped again, nor another for the same one that waits.
        stopped[0].ticket.stop(.crowding)
        #expect(schedule.sweep(at: time(700)).stopped.isEmpty)
        schedule.end(stopped[0].ticket, at: time(701))
        #expect(schedule.next(at: time(701))?.element == 3)
        // Each has one: nobody gives up theirs.
        _ = schedule.add((ticket("d", 702), 4))
        #expect(schedule.sweep(at: time(2_000)).stopped.isEmpty)
    }

    @Test func `that are done together go in the order of turns, up to the first that can't`() throws {
        var schedule = schedule(slots: 1)
        for number in 0..<4 { _ = schedule.add((ticket("a", number), 2 * number)) }
        _ = schedule.add((ticket("b", 5), 10))
        _ = schedule.add((ticket("c", 6), 11))
        #expect(schedule.next(at: time(7))?.element == 0)
        let isEven = { (number: Int) in number.isMultiple(of: 2) }
        // The others of the first asker come behind the one that nobody may be done together with.
        #expect(schedule.nextBeside(upTo: 9, at: time(7), isEven).map(\.element) == [10])
        #expect(schedule.load.running == 2 && schedule.load.waiting == 4 && !schedule.hasNext)
    }

    @Test func `that are done together leave work for the slots that are free`() throws {
        var schedule = schedule(slots: 3)
        for number in 0..<8 { _ = schedule.add((ticket("a", number), number)) }
        #expect(schedule.next(at: time(9))?.element == 0)
        #expect(schedule.nextBeside(upTo: 9, at: time(9)) { _ in true }.map(\.element) == [1, 2])
        #expect(schedule.next(at: time(9))?.element == 3)
        #expect(schedule.nextBeside(upTo: 9, at: time(9)) { _ in true }.map(\.element) == [4, 5])
        #expect(schedule.next(at: time(9))?.element == 6)
        #expect(schedule.nextBeside(upTo: 9, at: time(9)) { _ in true }.map(\.element) == [7])
        #expect(schedule.load.running == 8 && !schedule.hasNext)
    }

    @Test func `that are done together share a slot and the time`() throws {
        var schedule = schedule(slots: 1)
        for number in 0..<2 { _ = schedule.add((ticket("a", number), number)) }
        let next = schedule.next(at: time(5))
        let first = try #require(next)
        let others = schedule.nextBeside(upTo: 3, at: time(5)) { _ in true }
        #expect(others.map(\.element) == [1])
        for entry in [first] + others { schedule.end(entry.ticket, at: time(405)) }
        _ = schedule.add((ticket("b", 405), 2))
        let another = schedule.next(at: time(405))
        schedule.end(try #require(another).ticket, at: time(905))
        // Four tenths of a second are less than five, twice as much would be more.
        _ = schedule.add((ticket("b", 906), 3))
        _ = schedule.add((ticket("a", 907), 4))
        #expect(schedule.next(at: time(908))?.element == 4)
    }

    @Test func `leave nothing behind once all is forgiven`() throws {
        var schedule = schedule(slots: 1)
        _ = schedule.add((ticket("a"), 0))
        let next = schedule.next(at: time(0))
        let entry = try #require(next)
        schedule.end(entry.ticket, at: time(2_000))
        _ = schedule.sweep(at: time(2_000))
        #expect(!schedule.isIdle)
        _ = schedule.sweep(at: time(20_000))
        #expect(schedule.isIdle)
    }

    /// A schedule that knows how long work of `a` takes.
    private func measured(slots: Int, milliseconds: Int) throws -> FairSchedule<Int> {
        var schedule = schedule(slots: slots)
        _ = schedule.add((ticket("a"), -1))
        let next = schedule.next(at: time(0))
        schedule.end(try #require(next).ticket, at: time(milliseconds))
        return schedule
    }

    @Test func `wait by hundreds where they are over soon, as long as others find a place`() throws {
        var schedule = try measured(slots: 2, milliseconds: 5)
        let refused = (0..<900).filter { schedule.add((ticket("a", 10), $0)) != nil }
        // Nine hundred would wait little more than two seconds; a quarter of the places is for others.
        #expect(refused.count == 900 - 768)
        #expect(schedule.add((ticket("b", 11), 0)) == nil)
    }

    @Test func `are refused at once where they would wait in vain, and told when to come again`()
        throws
    {
        var schedule = try measured(slots: 2, milliseconds: 500)
        let tickets = (0..<900).map { _ in ticket("a", 500) }
        let refused = tickets.filter { schedule.add(($0, 0)) != nil }
        // Four seconds are the longest that anybody waits: 16 of half a second, twice at a time, and some more.
        #expect(refused.count == 900 - 32)
        let told = refused.map(\.retrySeconds)
        // Those that wait take eight seconds, and then four have their turns in each.
        #expect(told.prefix(4).allSatisfy { (8...9).contains($0) } && told.max() == 120)
        let perSecond = Dictionary(grouping: told.prefix(400)) { $0 }.mapValues(\.count)
        #expect(perSecond.values.allSatisfy { $0 <= 4 })
        // Another asker waits behind none of them.
        #expect(schedule.add((ticket("b", 501), 1)) == nil)
    }

    @Test func `that waited in vain are told to come one behind the other`() throws {
        var schedule = try measured(slots: 1, milliseconds: 1_000)
        let tickets = (0..<20).map { _ in ticket("a", 1_000) }
        for ticket in tickets { #expect(schedule.add((ticket, 0)) == nil) }
        let verdicts = schedule.sweep(at: time(5_001))
        #expect(verdicts.refused.count == 20)
        let told = tickets.map(\.retrySeconds)
        #expect(told == told.sorted() && told.first == 1 && (19...20).contains(told.last ?? 0))
    }
}
