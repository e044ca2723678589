import Access
import JSONText
import Testing

@testable import Scripts

@Suite struct `An operation that a chain has come to` {
    private let chain = MiddlewareChain()
    private let sent = AsyncStream.makeStream(of: Int64.self)

    private func begin() {
        chain.begin { [sent] _, operation, _ in
            sent.continuation.yield(operation)
            return true
        }
    }

    private func run() async -> ScriptHost.CallEnd {
        await chain.run(ScriptTask(kind: .job(name: "any"), caller: .admin(nil), request: nil), askedBy: 1) { _ in
            .failed(AskFailure(.bad, 400, "nothing is asked"))
        }
    }

    /// Waits until an operation is sent, and does something then.
    private func whenSent(_ body: @Sendable (Int64) -> Void) async {
        var sent = sent.stream.makeAsyncIterator()
        if let operation = await sent.next() { body(operation) }
    }

    private func isLost(_ end: ScriptHost.CallEnd, _ reason: String) -> Bool {
        if case .lost(let words) = end { words.contains(reason) } else { false }
    }

    @Test func `ends with what its script answers, once`() async {
        begin()
        async let end = run()
        await whenSent { operation in
            for kind in ["result", "own"] {
                chain.end(operation, with: ScriptAnswer(.object([JSONMember("kind", .string(kind))])))
            }
        }
        guard case .answered(let answer) = await end, case .result = answer.kind else {
            Issue.record("it did not end as it was answered")
            return
        }
        chain.end()
    }

    @Test func `has no end where its request is over, or begins in another worker`() async {
        begin()
        async let first = run()
        await whenSent { _ in begin() }
        #expect(isLost(await first, "before its operation came to an end"))
        async let second = run()
        await whenSent { _ in chain.end() }
        #expect(isLost(await second, "before its operation came to an end"))
        #expect(isLost(await run(), "the request is over"))
    }

    @Test func `doesn't keep its chain, although the chain keeps what answers it`() async {
        var chain: MiddlewareChain? = MiddlewareChain()
        weak let kept = chain
        let serving = MiddlewareChain.Serving(chain: chain, number: 1)
        let (sent, sending) = AsyncStream.makeStream(of: Int64.self)
        chain?.begin { _, operation, _ in
            sending.yield(operation)
            return true
        }
        let task = ScriptTask(kind: .job(name: "any"), caller: .admin(nil), request: nil)
        async let end = serving.run(task) { _ in
            .failed(AskFailure(.bad, 400, "\(serving.number) is asked"))
        }
        var operations = sent.makeAsyncIterator()
        if let operation = await operations.next() {
            chain?.end(operation, with: ScriptAnswer(.object([JSONMember("kind", .string("result"))])))
        }
        _ = await end
        chain = nil
        #expect(kept == nil)
        #expect(isLost(await serving.run(task) { _ in .failed(AskFailure(.bad, 400, "")) }, "the request is over"))
    }

    @Test func `has no end where nobody waits for it`() async {
        begin()
        let task = Task { await run() }
        await whenSent { _ in task.cancel() }
        #expect(isLost(await task.value, "before its operation came to an end"))
        chain.end()
    }

    @Test func `is not waited for where its worker takes nothing`() async {
        chain.begin { _, _, _ in false }
        #expect(isLost(await run(), "the request is over"))
    }
}
