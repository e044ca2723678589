import Testing
import WorkThreads

@Suite struct `Threads that can be waited for` {
    @Test func `are waited for by several, and not where none runs`() async {
        let (threads, queue) = (RunningThreads(), BlockingQueue<Int>())
        await threads.ended()
        for number in 1...2 { threads.start("waiter-\(number)") { _ = queue.take(upTo: 1) } }
        #expect(!threads.haveEnded)
        async let first: Void = threads.ended()
        async let second = threads.ended(by: .now + .seconds(100))
        queue.close()
        #expect(await second)
        await first
        #expect(threads.haveEnded)
        #expect(await threads.ended(by: .now - .seconds(1)))
    }

    @Test func `are waited for no longer than to the deadline`() async {
        let (threads, queue) = (RunningThreads(), BlockingQueue<Int>())
        threads.start("late") { _ = queue.take(upTo: 1) }
        #expect(await threads.ended(by: .now + .milliseconds(20)) == false)
        #expect(await threads.ended(by: .now - .seconds(1)) == false)
        queue.close()
        await threads.ended()
    }
}
