import AuthAPI
package import CustomAPI
import DataPage
package import DeviceRecording
package import ServerConfiguration
package import ServerLogging
import TableOperations
import ZumoProtocol

/// What a server keeps when its configuration is replaced: who has asked how often, who was told what.
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

    /// How often one address may ask, by what is left of its turns; nil for as often as it likes.
    func addressLimit(_ perMinute: Int) -> RateLimit? { perMinute > 0 ? addressTurns : nil }

    /// The same for one user.
    func userLimit(_ perMinute: Int) -> RateLimit? { perMinute > 0 ? userTurns : nil }

    func change(to limits: Configuration.Limits) {
        addressTurns.change(to: limits.addressRequestsPerMinute)
        userTurns.change(to: limits.userRequestsPerMinute)
    }
}

/// What the data page keeps of the server's life, whatever configuration it has.
package struct PageRuntimeState: Sendable {
    let record = PageRecord()
    let log = LogRing()
}
