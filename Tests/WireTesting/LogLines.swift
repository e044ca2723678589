import Synchronization

/// Catches log lines in place of standard error.
public final class LogLines: Sendable {
    private let lines = Mutex<[String]>([])

    /// No line yet.
    public init() {}

    /// The lines so far.
    public var all: [String] { lines.withLock { $0 } }

    /// Takes a line as a log writes it.
    @Sendable public func append(_ line: [UInt8]) {
        lines.withLock { $0.append(String(decoding: line, as: UTF8.self)) }
    }
}
