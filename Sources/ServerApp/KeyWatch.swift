import Access
import Dispatch
import Logging

/// Takes over an issuer's new keys while the server runs. What can't be read leaves the old keys in force.
final class KeyWatch {
    private let timer: any DispatchSourceTimer

    /// Looks every two seconds, until it is cancelled.
    init(_ auth: Configuration.Auth, replacing verifier: CurrentVerifier, logger: Logger) {
        timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "zumod.keys", qos: .utility))
        var known = auth.keySources.map { $0.state() }
        timer.setEventHandler {
            let state = auth.keySources.map { $0.state() }
            guard state != known else { return }
            known = state
            do throws(ConfigurationFault) {
                verifier.replace(with: try auth.verifier())
                logger.notice("the key sets of auth.keySets have changed and are in force")
            } catch {
                logger.error("the key sets of auth.keySets have changed, and the old ones stay in force: \(error)")
            }
        }
        timer.schedule(deadline: .now() + 2, repeating: 2)
        timer.resume()
    }

    func cancel() {
        timer.cancel()
    }
}
