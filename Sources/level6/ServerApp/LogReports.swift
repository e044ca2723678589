import DeviceRecording
import Scalars
import Scripts
import ServerLogging
import Tables
import Webhooks

/// Logs the reports of the server's parts.
extension Log {
    /// Logs why a notice was not sent.
    func report(_ event: WebhookEvent) {
        switch event {
        case .postponed(let table, let reason):
            notice("a webhook failed and is tried again", members: ["table": "\(table)", "reason": "\(reason)"])
        case .givenUp(let table, let reason):
            warning("a webhook's notice is lost", members: ["table": "\(table)", "reason": "\(reason)"])
        case .full(let table):
            warning(
                "notices of a webhook are lost", members: ["table": "\(table)", "reason": "too many wait already"])
        case .unsent(let table, let count):
            warning(
                "webhook notices are lost, since the server stops",
                members: ["table": "\(table)", "count": "\(count)"])
        }
    }

    /// Logs a line written by a script.
    func report(_ line: ScriptLogLine) {
        let level: LogLevel =
            switch line.level {
            case .info: .info
            case .notice: .notice
            case .warning: .warning
            case .error: .error
            }
        var members: [String: String] = [:]
        if let call = line.call {
            members["script"] = "\(call.script)"
            if let request = call.request { members["request"] = "\(request)" }
        }
        log(level: level, "\(line.text)", members: members)
    }
}

extension DeviceRecorder {
    /// Creates a recorder that logs when it fails.
    convenience init(
        _ store: any DeviceStore, clock: @escaping Clock = SystemClock.now,
        present: (@Sendable () async -> Instant?)? = nil, _ logger: Log
    ) {
        self.init(store, clock: clock, present: present) { error in
            logger.warning("what devices did was not recorded; it is tried again", members: ["detail": error.detail])
        }
    }
}
