import Dispatch
import Platform

/// Checks whether files have changed, where nothing reports it.
///
/// Sendable unchecked: its timer is a dispatch object, which any thread may use.
final class FileWatcher: @unchecked Sendable {
    private let timer: any DispatchSourceTimer

    /// Checks every two seconds, until it is cancelled. Files that are still being written get time to settle.
    /// - Parameters:
    ///   - known: the state of the files when they were read; nil for their current state.
    ///   - look: returns the state of the files.
    ///   - changed: called once a changed state has stayed the same from one check to the next.
    init(
        since known: [FileState]? = nil, _ look: @escaping @Sendable () -> [FileState],
        changed: @escaping @Sendable () -> Void
    ) {
        timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "zumod.files", qos: .utility))
        var known = known ?? look()
        var seen = known
        timer.setEventHandler {
            let state = look()
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
