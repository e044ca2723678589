import HTTPModel
import Synchronization
import Testing

@testable import TableOperations

@Suite struct `Who was told that a change was done` {
    /// A client that has got its answer, or is known not to have.
    private final class Client: RespondingConnection {
        let isGone: Bool

        init(isGone: Bool) {
            self.isGone = isGone
        }

        func giveUp(_ number: UInt64) -> Bool { isGone }
    }

    private static func ticket(isGone: Bool = false) -> ResponseTicket {
        ResponseTicket(Client(isGone: isGone), 1)
    }

    private let answers = AcknowledgedChanges()

    /// A repetition that the store has recognized.
    private func repeated(isGone: Bool = false) async -> Bool {
        let ticket = Self.ticket(isGone: isGone)
        answers.begin([1], ticket)
        return await answers.claim([1], ticket)
    }

    private func done(isGone: Bool) {
        let ticket = Self.ticket(isGone: isGone)
        answers.begin([1], ticket)
        answers.end([1], ticket, isDone: true)
    }

    @Test func `is one, where the first has its answer`() async {
        done(isGone: false)
        for _ in 1...3 { #expect(await repeated() == false) }
    }

    @Test func `is the first repetition that has its answer, where those before were told in vain`() async {
        done(isGone: true)
        #expect(await repeated(isGone: true))
        #expect(await repeated())
        #expect(await repeated() == false)
    }

    @Test func `is nobody here, where another server did it`() async {
        #expect(await repeated(isGone: true) == false)
        let failed = Self.ticket(isGone: true)
        answers.begin([1], failed)
        answers.end([1], failed, isDone: false)
        #expect(await repeated() == false)
    }

    @Test(arguments: [(false, 0), (true, 1)])
    func `is none of the repetitions that came before the first was done, or one where that is gone`(
        isGone: Bool, winners: Int
    ) async {
        let first = Self.ticket(isGone: isGone)
        answers.begin([1], first)
        async let second = repeated()
        async let third = repeated()
        await Task.yield()
        answers.end([1], first, isDone: true)
        let won = await [second, third]
        #expect(won.filter(\.self).count == winners)
    }

    @Test func `is forgotten beyond many others, and counts as told then`() async {
        done(isGone: true)
        for number in 0..<20_000 {
            let ticket = Self.ticket()
            let key = [UInt8(number & 255), UInt8(number >> 8), 2]
            answers.begin(key, ticket)
            answers.end(key, ticket, isDone: true)
        }
        #expect(await repeated() == false)
    }
}
