import AuthAPI
import CustomAPI
import DeviceRecording
import ServerConfiguration
import ServerLogging
import TableOperations
import ZumoProtocol

/// What a server keeps when its configuration is replaced: who has asked how often, who was told what.
struct ServerRuntimeState: Sendable {
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

    init(
        _ limits: Configuration.Limits, _ logger: Log, push: PushRegistry = PushRegistry(),
        ids: RequestIDs = RequestIDs(), page: PageRuntimeState = PageRuntimeState(), devices: DeviceRecorder? = nil
    ) {
        self.page = page
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
