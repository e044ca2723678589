import Dispatch
import Synchronization
import Testing
import WireTesting

@testable import DataPage

@Suite(.serialized) struct `Long texts of the data page` {
    @Test(arguments: ["api/requests", "api/requests.har", "api/conflicts", "tables/todo.csv"])
    func `are written apart from the threads that answer everybody`(path: String) async throws {
        try await TestServer.with(on: .sqlite, lines: [UserTokens.line]) { server in
            let visit = try PageVisit.signedIn(server.port)
            let other = try WireClient(port: server.port)
            let goOn = DispatchSemaphore(value: 0)
            let isAnswered = Atomic(false)
            let isHeld = Atomic(false)
            let holding = Task {
                await PageThread.run {
                    isHeld.store(true, ordering: .relaxed)
                    goOn.wait()
                }
            }
            while !isHeld.load(ordering: .relaxed) { try await Task.sleep(for: .milliseconds(1)) }
            let reading = Task.detached {
                let answer = try visit.ask("GET", path)
                isAnswered.store(true, ordering: .relaxed)
                return answer.code
            }
            for _ in 0..<50 { #expect(try other.exchange("GET", "/tables/todo?$top=1").code == 200) }
            try await Task.sleep(for: .milliseconds(300))
            let isEarly = isAnswered.load(ordering: .relaxed)
            #expect(!isEarly)
            goOn.signal()
            #expect(try await reading.value == 200)
            await holding.value
        }
    }
}
