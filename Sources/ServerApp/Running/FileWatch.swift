import Dispatch

/// Looks whether the files of a configuration have changed, where no SIGHUP can tell.
final class ConfigurationWatch {
    private let timer: any DispatchSourceTimer

    /// Looks every two seconds, until it is cancelled. Files that are still being written are given time for it.
    /// - Parameter changed: is told once the files have stayed as they are from one look to the next.
    init(_ reading: ConfigurationReading, changed: @escaping @Sendable () -> Void) {
        timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "zumod.configuration", qos: .utility))
        var known = reading.state()
        var seen = known
        timer.setEventHandler {
            let state = reading.state()
            defer { seen = state }
            guard state != known, state == seen else { return }
            known = state
            changed()
        }
        timer.schedule(deadline: .now() + 2, repeating: 2)
        timer.resume()
    }

    func cancel() {
        timer.cancel()
    }
}
