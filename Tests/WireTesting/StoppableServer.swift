import Dispatch
import Foundation
import Platform

/// A PostgreSQL server that tests stop and start: the second one of `scripts/test-postgres`.
public struct StoppableServer: Sendable {
    /// The server's URL; nil where none was started.
    public static let url = ProcessInfo.processInfo.environment["ZUMOD_TEST_POSTGRES_VICTIM_URL"]
    private static let control = ProcessInfo.processInfo.environment["ZUMOD_TEST_POSTGRES_VICTIM_CONTROL"] ?? ""

    /// What pg_ctl ended with, what it said, and the end of the server's log.
    public struct Failure: Error {
        let status: Int32
        let words: String
        let log: Substring
    }

    private init() {}

    /// Gives a test the server for itself: other suites stop it too.
    public static func alone<Result: Sendable>(
        _ body: @Sendable (StoppableServer) async throws -> Result
    ) async throws -> Result {
        let lock = unsafe open(control, O_RDONLY | O_CLOEXEC)
        defer { close(lock) }
        while flock(lock, LOCK_EX | LOCK_NB) != 0 { try await Task.sleep(for: .milliseconds(20)) }
        return try await body(StoppableServer())
    }

    /// Runs pg_ctl, such as `restart -m immediate`, and waits until it is done. Foundation's Process would wait for the
    /// server too, which inherits its descriptors.
    public func run(_ arguments: String) async throws {
        let status = await withCheckedContinuation { continuation in
            DispatchQueue(label: "pg_ctl").async {
                continuation.resume(returning: unsafe system("\(Self.control) \(arguments) >\(Self.control).said 2>&1"))
            }
        }
        guard status == 0 else {
            func text(_ name: String) -> String { (try? String(contentsOfFile: name, encoding: .utf8)) ?? "" }
            let log = text(Self.control.replacingOccurrences(of: ".control", with: ".log"))
            throw Failure(status: status, words: text("\(Self.control).said"), log: log.suffix(2_000))
        }
    }
}
