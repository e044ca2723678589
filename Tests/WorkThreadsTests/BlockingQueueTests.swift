import Synchronization
import Testing
import WorkThreads

@Suite struct `The queue between callers and threads` {
    @Test func `hands out what is there, up to a number and in order`() {
        let queue = BlockingQueue<Int>()
        for number in 1...5 { #expect(queue.push(number)) }
        #expect(queue.take(upTo: 3) == [1, 2, 3])
        #expect(queue.take(upTo: 3) == [4, 5])
    }

    @Test func `takes nothing more after its end, but hands out the rest`() {
        let queue = BlockingQueue<Int>()
        #expect(queue.push(1))
        queue.close()
        #expect(!queue.push(2))
        #expect(queue.take(upTo: 9) == [1])
        #expect(queue.take(upTo: 9) == nil)
    }

    @Test func `several threads take each element once`() async {
        let queue = BlockingQueue<Int>()
        let threads = RunningThreads()
        let sum = Atomic(0)
        for number in 1...3 {
            threads.start("taker-\(number)") {
                while let taken = queue.take(upTo: 2) { sum.add(taken.reduce(0, +), ordering: .relaxed) }
            }
        }
        for number in 1...1_000 { #expect(queue.push(number)) }
        queue.close()
        await threads.ended()
        #expect(sum.load(ordering: .relaxed) == 500_500)
    }
}
