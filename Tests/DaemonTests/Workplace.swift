import Foundation

/// A directory with a configuration, as the working directory of one test's processes.
final class Workplace {
    let path: String

    /// - Parameter files: more files of the configuration, by their paths in it.
    init(_ files: [String: String] = [:]) throws {
        // Whoever runs the tests under nohup ignores it, and so would all that they start.
        signal(SIGHUP, SIG_DFL)
        path = FileManager.default.temporaryDirectory.appending(path: "zumod-daemon-\(UUID().uuidString)")
            .path(percentEncoded: false)
        for folder in ["tables", "apis"] {
            try FileManager.default.createDirectory(
                atPath: "\(path)/config/\(folder)", withIntermediateDirectories: true)
        }
        let table = ["tables/TodoItem.yaml": "columns: { text: string }\nsoftDelete: true\n"]
        for (name, text) in table.merging(files, uniquingKeysWith: { $1 }) {
            try write(text, to: name)
        }
    }

    /// What lies in the working directory.
    var files: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
    }

    /// Writes a file of the configuration.
    func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: URL(filePath: "\(path)/config/\(name)"))
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// What a file in the working directory holds.
    func contents(of name: String) throws -> String {
        try String(contentsOfFile: "\(path)/\(name)", encoding: .utf8)
    }

    /// The built program, not yet running, without any setting of the tests' own environment.
    func process(_ arguments: [String], environment: [String: String] = [:]) -> Process {
        let process = Process()
        process.executableURL = Self.binary
        process.arguments = arguments
        process.currentDirectoryURL = URL(filePath: path)
        process.environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("ZUMOD_") }
            .merging(environment) { $1 }
        return process
    }

    struct Outcome {
        let code: Int32
        let output: String
        let errors: String
    }

    /// Runs a command to its end.
    func run(_ arguments: String..., environment: [String: String] = [:]) throws -> Outcome {
        try run(arguments, environment: environment)
    }

    /// Runs a command to its end.
    func run(_ arguments: [String], environment: [String: String] = [:]) throws -> Outcome {
        try run(process(arguments, environment: environment))
    }

    /// Runs a command in a shell, with file systems of its own.
    /// - Parameter shell: what the shell does first.
    func run(_ arguments: String..., after shell: String) throws -> Outcome {
        let words = ["unshare", "-m", "sh", "-c", #"\#(shell) && exec "$@""#, "sh", Self.binary.path] + arguments
        let process = process(words)
        process.executableURL = URL(filePath: "/usr/bin/env")
        return try run(process)
    }

    /// Runs a process to its end.
    func run(_ process: Process) throws -> Outcome {
        let output = Pipe()
        let errors = Pipe()
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        let written = output.fileHandleForReading.readDataToEndOfFile()
        let complaints = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitForEnd()
        // A process that ended keeps its pipes: with too many descriptors Foundation fails to start another.
        for pipe in [output, errors] { try? pipe.fileHandleForReading.close() }
        return Outcome(
            code: process.terminationStatus, output: String(decoding: written, as: UTF8.self),
            errors: String(decoding: complaints, as: UTF8.self))
    }

    /// The program that `ZUMOD_TEST_PROGRAM` names, a released one perhaps; else the one beside the test bundle.
    static var binary: URL {
        if let named = ProcessInfo.processInfo.environment["ZUMOD_TEST_PROGRAM"] {
            return URL(filePath: named).absoluteURL
        }
        let bundle = CommandLine.arguments.compactMap { argument in
            argument.hasSuffix(".xctest") ? URL(filePath: argument).deletingLastPathComponent() : nil
        }
        let here = Bundle.main.executableURL?.deletingLastPathComponent() ?? URL(filePath: ".")
        let candidates = (bundle + [here]).map { $0.appending(path: "zumod") }
        return candidates.first { FileManager.default.isExecutableFile(atPath: $0.path(percentEncoded: false)) }
            ?? URL(filePath: "/nonexistent/zumod")
    }
}
