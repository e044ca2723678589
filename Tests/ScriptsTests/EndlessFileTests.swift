import Foundation
import Scripts
import Synchronization
import Testing
import WireTesting

@Suite struct `A file of scripts that never comes to its end` {
    @Test func `is named, and its process is ended`() throws {
        let folder = try Self.folder(app: "require('azure-mobile-apps')();\nfor (;;);\n")
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var limits = ScriptLimits()
        limits.readingWork = .milliseconds(1_500)
        let fault = #expect(throws: ScriptHost.Fault.self) {
            try ScriptHost.start(ScriptProject(.app, at: folder), limits: limits)
        }
        #expect(fault?.description.contains("app.js does not come to its end") == true, "\(fault?.description ?? "")")
        Patience.until { Self.workers(in: folder).isEmpty }
        #expect(Self.workers(in: folder).isEmpty)
    }

    @Test func `is named where it ends its process, and Node is not blamed`() throws {
        let folder = try Self.folder(app: "process.exit(1);\n")
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let fault = #expect(throws: ScriptHost.Fault.self) {
            try ScriptHost.start(ScriptProject(.app, at: folder), limits: ScriptLimits())
        }
        let end = "can't be run: its process ended while it read app.js: exit code 1"
        #expect(fault?.description == "the scripts of \(folder) \(end)")
    }

    /// The file is changed while the scripts are served, and then the workers are killed.
    @Test(arguments: [true, false])
    func `ends those that read it in the place of others`(_ isPatient: Bool) throws {
        let good = "const app = require('azure-mobile-apps')();\nmodule.exports = app;\n"
        let folder = try Self.folder(app: good)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var limits = ScriptLimits()
        limits.readingWork = isPatient ? .milliseconds(1_500) : .seconds(600)
        let host = try ScriptHost.start(ScriptProject(.app, at: folder), limits: limits)
        let lines = Mutex<[String]>([])
        host.serve { line in lines.withLock { $0.append(line.text) } }
        Patience.until { Self.workers(in: folder).count == 2 }
        try Data("\(good)for (;;);\n".utf8).write(to: URL(filePath: "\(folder)/app.js"))
        let first = Self.workers(in: folder)
        for worker in first { kill(worker, SIGKILL) }
        Patience.until { Self.workers(in: folder).filter { !first.contains($0) }.count == 2 }
        if isPatient {
            let words = "app.js does not come to its end"
            Patience.until { lines.withLock { $0.contains { $0.contains(words) } } }
            #expect(lines.withLock { $0.count { $0.contains(words) } } == 1, "\(lines.withLock { $0 })")
        }
        host.close()
        Patience.until { Self.workers(in: folder).isEmpty }
        #expect(Self.workers(in: folder).isEmpty)
    }

    private static func folder(app: String) throws -> String {
        let folder = FileManager.default.temporaryDirectory.appending(path: "zumod-endless-\(UUID().uuidString)")
            .resolvingSymlinksInPath().path(percentEncoded: false)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data(app.utf8).write(to: URL(filePath: "\(folder)/app.js"))
        return folder
    }

    /// The processes that work in a folder.
    private static func workers(in folder: String) -> [pid_t] {
        let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return processes.compactMap(pid_t.init).filter { number in
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(number)/cwd")) == folder
        }
    }
}
