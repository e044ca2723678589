import Foundation
import Testing
import WireTesting

/// Programs are started by others that close streams, or whose disk is full.
@Suite("Standard streams", .ownThread)
struct StandardStreamTests {
    private func code(_ words: String) throws -> Int32 {
        let workplace = try Workplace()
        let process = workplace.process(["-c", "exec '\(Workplace.binary.path)' \(words)"])
        process.executableURL = URL(filePath: "/bin/sh")
        return try workplace.run(process).code
    }

    @Test(arguments: ["2>&-", "2>/dev/full", "<&- 2>&-"])
    func `a command that can't say why it fails still ends with its code`(redirection: String) throws {
        #expect(try code("serve --bogus \(redirection)") == 64)
        #expect(try code("check --config nowhere \(redirection)") == 78)
        #expect(try code("health --url http://127.0.0.1:1 \(redirection)") == 69)
    }

    @Test(arguments: ["--help", "--generate-manual", "--generate-completion-script=bash", "table list"])
    func `what can't be written whole is no success`(words: String) throws {
        #expect(try code("\(words) >/dev/full") == 74)
        #expect(try code("\(words) >/dev/null") == 0)
    }

    @Test func `a server without streams serves on, whatever it has to log`() throws {
        let workplace = try Workplace()
        let port = try FreePort.next()
        let process = workplace.process(["-c", "exec '\(Workplace.binary.path)' serve --port \(port) <&- >&- 2>&-"])
        process.executableURL = URL(filePath: "/bin/sh")
        try process.run()
        defer {
            kill(process.processIdentifier, SIGKILL)
            process.waitForEnd()
        }
        var answers = 0
        Patience.until {
            let code = try? WireClient(port: port).exchange("GET", "/tables/TodoItem").code
            if code == 200 { answers += 1 }
            return answers == 20
        }
        #expect(answers == 20)
        #expect(process.isRunning)
    }

    @Test(arguments: ["0", "-1", "1", "abc", "9223372036854775807", "99999999999999999999"])
    func `help fits any terminal`(columns: String) throws {
        let workplace = try Workplace()
        let outcome = try workplace.run(workplace.process(["--help"], environment: ["COLUMNS": columns]))
        #expect(outcome.code == 0 && outcome.output.contains("USAGE: zumod"))
    }
}
