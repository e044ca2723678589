import Foundation
import Scripts
import Testing

@Suite struct `A file of scripts that never comes to its end` {
    @Test func `is named, and its process is ended`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "zumod-endless-\(UUID().uuidString)")
            .resolvingSymlinksInPath().path(percentEncoded: false)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try Data("require('azure-mobile-apps')();\nfor (;;);\n".utf8).write(to: URL(filePath: "\(folder)/app.js"))
        var limits = ScriptLimits()
        limits.readingWork = .milliseconds(1_500)
        let fault = #expect(throws: ScriptHost.Fault.self) {
            try ScriptHost.start(ScriptProject(.app, at: folder), limits: limits)
        }
        #expect(fault?.description.contains("app.js does not come to its end") == true, "\(fault?.description ?? "")")
        let end = ContinuousClock.now + .seconds(20)
        while Self.isAnybody(in: folder), ContinuousClock.now < end { Thread.sleep(forTimeInterval: 0.02) }
        #expect(!Self.isAnybody(in: folder))
    }

    /// Whether a process works in a folder.
    private static func isAnybody(in folder: String) -> Bool {
        let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return processes.contains { number in
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(number)/cwd")) == folder
        }
    }
}
