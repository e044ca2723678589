import Foundation
import Synchronization
import WireTesting

/// A running `zumod serve` of a test's own, in a directory of its own. Both are gone with the test.
final class Daemon {
    let workplace: Workplace
    let port: UInt16
    private let process: Process
    private let output = Pipe()
    private let errors = Pipe()
    private let log = Lines()

    /// The number by which the system knows it.
    var processIdentifier: Int32 { process.processIdentifier }

    /// Starts the built program and waits for its ready line.
    /// - Parameters:
    ///   - shell: what a shell does first, with file systems of its own; the program then takes its place.
    ///   - readsLog: false where its log fills its pipe, and stays there.
    init(
        _ workplace: Workplace, arguments: [String] = [], environment: [String: String] = [:], shell: String? = nil,
        readsLog: Bool = true
    ) throws {
        self.workplace = workplace
        let command = ["serve", "--port", "0"] + arguments
        process = workplace.process(command, environment: environment)
        if let shell {
            process.executableURL = URL(filePath: "/usr/bin/env")
            process.arguments =
                ["unshare", "-m", "sh", "-c", #"\#(shell) && exec "$@""#, "sh", Workplace.binary.path] + command
        }
        process.standardOutput = output
        process.standardError = errors
        let log = log
        try process.run()
        // A thread that reads to the end: a handle's own source may outlive it and find another test's file in its place.
        let reading = errors.fileHandleForReading
        if readsLog { Thread.detachNewThread { log.follow(reading) } }
        let line = Self.firstLine(of: output.fileHandleForReading)
        guard line.hasPrefix("zumod listening on http"),
            let port = UInt16(line.split(separator: ":").last ?? "")
        else { throw Failure(text: "not ready: \(line) \(log.text)") }
        self.port = port
    }

    struct Failure: Error {
        let text: String
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        process.waitForEnd()
        try? output.fileHandleForReading.close()
    }

    /// The next line of its output; waits for it.
    func nextLine() -> String { Self.firstLine(of: output.fileHandleForReading) }

    /// What it has logged so far.
    var logged: String { log.text }

    func send(signal: Int32) {
        kill(process.processIdentifier, signal)
    }

    var isRunning: Bool { process.isRunning }

    /// Waits for the end.
    /// - Returns: the exit code, or the number of the signal that ended it.
    func exit() -> Int32 {
        process.waitForEnd()
        return process.terminationStatus
    }

    /// Asks it to stop, and waits until it has.
    func stop() -> Int32 {
        send(signal: SIGTERM)
        return exit()
    }

    /// Stops reading its log, after what it writes next, as a collector does that dies.
    func abandonLog() {
        log.abandon()
    }

    func client() throws -> WireClient {
        try WireClient(port: port)
    }

    /// How often a text is in the log.
    func count(inLog text: String) -> Int { logged.components(separatedBy: text).count - 1 }

    /// Waits until the log has a text.
    func waits(forLog text: String) async throws -> Bool {
        try await Patience.eventually { logged.contains(text) }
    }

    /// Waits until it reaches its database.
    func isReady() async throws -> Bool {
        let client = try client()
        return try await Patience.eventually { try client.exchange("GET", "/readyz").code == 200 }
    }

    private static func firstLine(of handle: FileHandle) -> String {
        var bytes = Data()
        while let next = try? handle.read(upToCount: 1), !next.isEmpty, next != Data([10]) { bytes += next }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// Text that arrives on another thread.
private final class Lines: Sendable {
    private let bytes = Mutex(Data())
    private let isAbandoned = Atomic(false)

    /// Takes in what arrives until there is no more to come, or nobody wants it.
    func follow(_ handle: FileHandle) {
        while !isAbandoned.load(ordering: .relaxed) {
            let more = handle.availableData
            if more.isEmpty { break }
            append(more)
        }
        try? handle.close()
    }

    func abandon() {
        isAbandoned.store(true, ordering: .relaxed)
    }

    func append(_ more: Data) {
        bytes.withLock { $0.append(more) }
    }

    var text: String {
        bytes.withLock { String(decoding: $0, as: UTF8.self) }
    }
}
