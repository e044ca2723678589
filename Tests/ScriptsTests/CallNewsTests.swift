import Testing

@testable import Scripts

@Suite struct `What whoever waits for a call hears of it` {
    private let news = CallNews<Int>()

    private func next() async -> Int? {
        switch await news.next() {
        case .asked: 0
        case .end(let end): end
        case nil: nil
        }
    }

    @Test func `what was told before is heard in its order`() async {
        news.ask()
        news.ask()
        news.end(1)
        #expect(await next() == 0)
        #expect(await next() == 1)
    }

    @Test func `the first end counts, and nothing behind it`() async {
        news.end(1)
        news.ask()
        news.end(2)
        #expect(await next() == 1)
    }

    @Test func `whoever waits for the end alone hears of nothing else`() async {
        news.ask()
        async let end = news.end()
        news.ask()
        news.end(3)
        #expect(await end == 3)
    }

    @Test func `a task that is cancelled waits no longer`() async {
        let task = Task { await self.news.end() }
        task.cancel()
        #expect(await task.value == nil)
        // What is told then is told to nobody.
        news.ask()
        news.end(1)
    }

    @Test func `whoever ends it, and whoever asks or cancels meanwhile, it is heard once`() async {
        for _ in 0..<500 {
            let news = CallNews<Int>()
            let task = Task { await news.end() }
            await withTaskGroup { group in
                for number in 1...3 { group.addTask { news.end(number) } }
                group.addTask { news.ask() }
                if Bool.random() { group.addTask { task.cancel() } }
            }
            let end = await task.value
            #expect(task.isCancelled || end != nil)
        }
    }
}
