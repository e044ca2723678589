import Access
import Dispatch
import Logging

/// Takes over issuers' and providers' new keys while the server runs. What can't be read leaves the old keys in force.
final class KeyWatch {
    private let timer: any DispatchSourceTimer

    /// Looks every two seconds, until it is cancelled.
    init(
        _ auth: Configuration.Auth, replacing verifier: CurrentVerifier, _ providers: [String: CurrentVerifier],
        logger: Logger
    ) {
        timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "zumod.keys", qos: .utility))
        let sources = auth.keySources + auth.providers.compactMap(\.keySource)
        var known = sources.map { $0.state() }
        timer.setEventHandler {
            let state = sources.map { $0.state() }
            guard state != known else { return }
            known = state
            do throws(ConfigurationFault) {
                let newer = try auth.providerVerifiers()
                verifier.replace(with: try auth.verifier())
                for (name, provider) in providers {
                    if let current = newer[name]?.current { provider.replace(with: current) }
                }
                logger.notice("key sets have changed and are in force")
            } catch {
                logger.error("key sets have changed, and the old ones stay in force: \(error)")
            }
        }
        timer.schedule(deadline: .now() + 2, repeating: 2)
        timer.resume()
    }

    func cancel() {
        timer.cancel()
    }
}
