import Foundation
import SeedTesting
import Testing
import WireTesting

@Suite("A server killed again and again", .ownThread, .serialized)
struct CrashLoopTests {
    @Test func `kill -9 under load leaves every acknowledged write and a sound file, each time`() async throws {
        var generator = SeededGenerator(seed: SeededGenerator.printedSeed(of: "killing a server on SQLite"))
        let workplace = try Workplace()
        var server = try Daemon(workplace)
        let load = ServerLoad(ports: [server.port])
        for round in 0..<ServerLoad.kills {
            try await withThrowingTaskGroup { group in
                load.resume()
                defer { load.stop() }
                for writer in 0..<8 {
                    group.addTask(executorPreference: OwnThread()) { load.write(8 * round + writer) }
                }
                #expect(try await load.waits(forMore: 40))
                try await Task.sleep(for: .milliseconds(Int.random(in: 0..<100, using: &generator)))
                server.send(signal: SIGKILL)
                #expect(server.exit() == SIGKILL)
                load.stop()
                try await group.waitForAll()
            }
            // The file as the crash left it, before a server has repaired anything.
            #expect(try DatabaseFile("\(workplace.path)/data/zumod.sqlite3").faults() == [])
            server = try Daemon(workplace)
            load.move(0, to: server.port)
            load.check(try server.client().allRows())
        }
        #expect(server.stop() == 0)
    }
}
