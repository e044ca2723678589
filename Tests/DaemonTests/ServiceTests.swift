import Foundation
import Testing
import WireTesting

/// What systemd and its like see of a server. The cases are programs of their own, as they hand over sockets and stop
/// threads.
@Suite("As a service", .ownThread)
struct ServiceTests {
    private static let folder = URL(filePath: #filePath).appending(path: "../../service").standardized

    private static func run(_ script: String, _ arguments: [String]) throws -> Workplace.Outcome {
        let workplace = try Workplace()
        let file = folder.appending(path: script).path
        let process = workplace.process(
            ["python3", "-B", file] + arguments, environment: ["ZUMOD": Workplace.binary.path])
        process.executableURL = URL(filePath: "/usr/bin/env")
        return try workplace.run(process)
    }

    private static let cases: [String] = {
        let listed = try? run("cases.py", ["--list"]).output
        return (listed ?? "").split(separator: "\n").map { String($0) }
    }()

    @Test func `there are cases`() {
        #expect(Self.cases.count > 10)
    }

    @Test(arguments: cases)
    func `a case holds`(name: String) throws {
        let outcome = try Self.run("cases.py", [name])
        #expect(outcome.code == 0, "\(outcome.errors)")
    }

    @Test(arguments: ["socket", "handover"])
    func `restarts refuse and cut no request`(way: String) throws {
        let outcome = try Self.run("restarts.py", [way, "3000"])
        #expect(outcome.code == 0, "\(outcome.output) \(outcome.errors)")
    }
}
