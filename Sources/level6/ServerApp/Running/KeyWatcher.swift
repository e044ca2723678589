import Dispatch
import ServerConfiguration
import ServerLogging

/// Applies new keys of issuers and providers while the server runs. If files can't be read, the old keys stay valid.
///
/// Sendable unchecked: its timer is a dispatch object, which any thread may use.
final class KeyWatcher: @unchecked Sendable {
    let keys: TokenKeys
    private let timer: any DispatchSourceTimer

    /// Checks every two seconds, until it is cancelled.
    init(_ keys: TokenKeys, logger: Log) {
        self.keys = keys
        timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "zumod.keys", qos: .utility))
        var known = keys.states
        timer.setEventHandler {
            let state = keys.sources.map { $0.state() }
            guard state != known else { return }
            known = state
            let remarks = keys.readAgain()
            for remark in remarks { logger.warning("\(remark)") }
            logger.notice(
                remarks.isEmpty
                    ? "key sets have changed and are in force"
                    : "key sets have changed; of files that can't be read the old ones stay in force")
        }
        timer.schedule(deadline: .now() + 2, repeating: 2)
        timer.resume()
    }

    func cancel() {
        timer.cancel()
    }
}
