import Foundation
import Testing
import WireTesting

@Suite("A server whose output nobody reads", .ownThread)
struct StuckReaderTests {
    @Test func `answers on, and stops`() async throws {
        let daemon = try Daemon(Workplace(), readsLog: false)
        let client = try daemon.client()
        // More than a pipe holds.
        for number in 0..<1_500 {
            #expect(try client.exchange("GET", "/tables/TodoItem/\(number)").code == 404)
        }
        #expect(try client.exchange("GET", "/healthz").code == 200)
        #expect(daemon.stop() == 0)
    }

    @Test func `starts without a word where its announcement finds no room`() throws {
        let workplace = try Workplace()
        let process = workplace.process(["serve", "--port", "0"])
        let output = Pipe()
        let errors = Pipe()
        let writing = output.fileHandleForWriting.fileDescriptor
        _ = fcntl(writing, F_SETFL, O_NONBLOCK)
        let filling = [UInt8](repeating: 10, count: 4_096)
        while unsafe write(writing, filling, filling.count) > 0 {}
        _ = fcntl(writing, F_SETFL, 0)
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        defer { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }
        // The lock of a server that is up, which it has before it announces itself.
        let database = "\(workplace.path)/data/zumod.sqlite3"
        Patience.until { FileManager.default.fileExists(atPath: database) }
        kill(process.processIdentifier, SIGTERM)
        process.waitForEnd()
        #expect(process.terminationReason == .exit)
        #expect(process.terminationStatus == 0)
    }
}
