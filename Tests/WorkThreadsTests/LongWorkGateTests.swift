import Synchronization
import Testing
import WorkThreads

@Suite("Turns of long work")
struct LongWorkGateTests {
    private struct Failed: Error {}

    /// How many are at work by now, and how many ever were at once.
    private final class Count: Sendable {
        private let state = Mutex((now: 0, most: 0))
        var most: Int { state.withLock { $0.most } }
        func begin() { state.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) } }
        func end() { state.withLock { $0.now -= 1 } }
    }

    @Test func `one piece is done at a time, and all are done`() async {
        let (turns, count) = (LongWorkGate<Int>(), Count())
        let done = await withTaskGroup(of: Int?.self) { group in
            for number in 0..<30 {
                group.addTask {
                    await turns.run(of: 1, patience: .seconds(86_400)) {
                        count.begin()
                        await Task.yield()
                        count.end()
                        return number
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(done.compactMap { $0 }.sorted() == Array(0..<30) && count.most == 1)
    }

    @Test func `another key does not wait, and a failure ends a turn`() async {
        let turns = LongWorkGate<Int>()
        let inner = await turns.run(of: 1, patience: .seconds(86_400)) {
            await turns.run(of: 2, patience: .seconds(86_400)) { "done" }
        }
        #expect(inner == "done")
        await #expect(throws: Failed.self) {
            try await turns.run(of: 1, patience: .seconds(86_400)) { () throws(Failed) -> Bool in throw Failed() }
        }
        #expect(await turns.run(of: 1, patience: .seconds(86_400)) { true } == true)
    }

    @Test func `who waits for too long, or behind too many, is told so`() async {
        let turns = LongWorkGate<Int>(most: 0)
        let refused = await turns.run(of: 1, patience: .seconds(86_400)) {
            await turns.run(of: 1, patience: .seconds(86_400)) { true }
        }
        #expect(refused == .some(nil))
        #expect(await turns.run(of: 1, patience: .zero) { true } == nil)
        #expect(await turns.run(of: 1, patience: .seconds(86_400)) { true } == true)
    }
}
