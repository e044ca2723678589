import Platform
import Scripts
import Synchronization

/// Has the configuration be read again when a worker comes upon scripts that define something else than is served: what
/// modules install, read or ask for while they are loaded is no file that is watched.
final class ScriptChanges: Sendable {
    /// Returns the state of the files that are watched.
    let files: @Sendable () -> [FileState]
    private let reread: @Sendable () -> Void
    /// The state of the files when they were last read again for this.
    private let last = Mutex<[FileState]?>(nil)

    init(_ files: @escaping @Sendable () -> [FileState], reread: @escaping @Sendable () -> Void) {
        (self.files, self.reread) = (files, reread)
    }

    /// How long after a configuration was read a difference may be one that every reading has.
    private static let settling = Duration.seconds(60)

    /// Watches the scripts of a configuration from now on.
    /// - Parameter known: the state of the files before it was read.
    func watch(_ host: ScriptHost?, since known: [FileState]) {
        let begin = ContinuousClock.now
        host?.whenChanged { [self] isConfirmed in
            let now = files()
            let isNew = ContinuousClock.now - begin < Self.settling
            let isRepeated = last.withLock { last in
                defer { last = now }
                return last == now
            }
            // Where they have just been read again, nothing has changed, and no two workers agree, none ever will.
            if isRepeated, now == known, isNew, !isConfirmed { return false }
            reread()
            return true
        }
    }
}
