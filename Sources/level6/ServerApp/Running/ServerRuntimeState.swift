import AuthAPI
package import CustomAPI
import DataPage
package import DeviceRecording
package import ServerConfiguration
package import ServerLogging
import TableOperations
import ZumoProtocol

/// State that outlives a configuration: the counted requests of callers, and what was reported.
package struct ServerRuntimeState: Sendable {
    let operations = OperationsRuntimeState()
    let logins = LoginRuntimeState()
    let keyAttempts = KeyAttempts()
    let push: PushRegistry
    let ids: RequestIDs
    let requestLog: RequestLog
    let page: PageRuntimeState
    /// nil if the activity of installations isn't recorded.
    let devices: DeviceRecorder?
    private let addressTurns: RateLimit
    private let userTurns: RateLimit

    package init(
        _ limits: Configuration.Limits, _ logger: Log, push: PushRegistry = PushRegistry(),
        ids: RequestIDs = RequestIDs(), page: PageRuntimeState? = nil, devices: DeviceRecorder? = nil
    ) {
        self.page = page ?? PageRuntimeState()
        self.push = push
        self.devices = devices
        self.ids = ids
        requestLog = RequestLog(logger)
        func turns(_ perMinute: Int) -> RateLimit { RateLimit(perMinute) ?? RateLimit(burst: 1, perMinute: 1) }
        addressTurns = turns(limits.addressRequestsPerMinute)
        userTurns = turns(limits.userRequestsPerMinute)
    }

    /// Returns the rate limit per address, which keeps its counts; nil for none.
    func addressLimit(_ perMinute: Int) -> RateLimit? { limit(addressTurns, perMinute) }

    /// Returns the rate limit per user, likewise.
    func userLimit(_ perMinute: Int) -> RateLimit? { limit(userTurns, perMinute) }

    private func limit(_ turns: RateLimit, _ perMinute: Int) -> RateLimit? {
        guard perMinute > 0 else { return nil }
        assert(turns.burst == perMinute, "limits are changed before they are used")
        return turns
    }

    func change(to limits: Configuration.Limits) {
        addressTurns.change(to: limits.addressRequestsPerMinute)
        userTurns.change(to: limits.userRequestsPerMinute)
    }
}

/// The state of the data page that outlives a configuration.
package struct PageRuntimeState: Sendable {
    let record = PageRecord()
    let log = LogRing()
}
