import Dispatch
import Synchronization

/// Tells systemd that the server is alive, at half of the interval that it allows, but only if the event loops and the
/// thread that writes to SQLite have responded since the last time. If they haven't, systemd restarts it.
///
/// Sendable unchecked: its timer is a dispatch object, which any thread may use.
final class Watchdog: @unchecked Sendable {
    private let timer: any DispatchSourceTimer

    /// - Parameters:
    ///   - microseconds: the interval within which systemd expects a message.
    ///   - ask: asks all parts for a sign of life.
    ///   - isAlive: returns whether all have responded.
    ///   - tell: called while they do.
    init(
        within microseconds: Int, ask: @escaping @Sendable () -> Void, isAlive: @escaping @Sendable () -> Bool,
        tell: @escaping @Sendable () -> Void
    ) {
        timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "zumod.watchdog", qos: .userInitiated))
        ask()
        timer.setEventHandler {
            guard isAlive() else { return }
            tell()
            ask()
        }
        let half = DispatchTimeInterval.microseconds(max(microseconds / 2, 1_000))
        timer.schedule(deadline: .now() + half, repeating: half, leeway: .milliseconds(10))
        timer.resume()
    }

    func cancel() {
        timer.cancel()
    }

    /// Returns the interval in the environment; nil if there is no watchdog, or if it is meant for another process.
    static func microseconds(in environment: [String: String], process: Int32) -> Int? {
        guard let wanted = environment["WATCHDOG_USEC"].flatMap({ Int($0) }), wanted > 0 else { return nil }
        guard let id = environment["WATCHDOG_PID"], !id.isEmpty else { return wanted }
        return id == "\(process)" ? wanted : nil
    }
}
