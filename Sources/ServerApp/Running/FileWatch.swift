import Dispatch
import Platform

/// Looks whether files have changed, where nobody tells.
///
/// Sendable unchecked: its timer is a dispatch object, which every thread may use.
final class FileWatch: @unchecked Sendable {
    private let timer: any DispatchSourceTimer

    /// Looks every two seconds, until it is cancelled. Files that are still being written are given time for it.
    /// - Parameters:
    ///   - known: how they stood when they were read; nil for as they stand now.
    ///   - look: tells how the files stand.
    ///   - changed: is told once they have stayed as they are from one look to the next.
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
