public import Exchanges
public import HTTPModel
import JSONText
internal import Synchronization
import Tables
public import ZumoProtocol

/// The requests of this server, for the page: the newest ones while they are recorded, and conflicts in any case.
public final class PageRecord: Sendable {
    /// The maximum number of requests, and the maximum bytes of all requests and of one body.
    static let limits = ExchangeRecord.Limits(count: 500, bytes: 8 << 20, bodyBytes: 64 << 10)
    /// The maximum number of conflicts, and the maximum bytes of each row in them.
    static let mostConflicts = 100
    static let conflictBytes = 16 << 10

    let exchanges = ExchangeRecord(PageRecord.limits)
    /// How many seconds recording continues after an operator last looked at it.
    static let longestUnseen: Int64 = 3_600
    /// When recording ends, on the clock of `seconds`; zero if nothing is recorded.
    private let end = Atomic<Int64>(0)
    private let seconds: @Sendable () -> Int64
    private let kept = Mutex(Conflicts())

    private struct Conflicts {
        var all: [RecordedConflict] = []
        var last = 0
    }

    /// Creates a record that is off.
    public convenience init() {
        let start = ContinuousClock.now
        self.init { start.duration(to: .now).components.seconds }
    }

    /// - Parameter seconds: a clock with any starting point.
    init(seconds: @escaping @Sendable () -> Int64) {
        self.seconds = seconds
    }

    /// Whether requests are recorded.
    var isRecording: Bool {
        get {
            let end = end.load(ordering: .relaxed)
            return end > 0 && seconds() < end
        }
        set { end.store(newValue ? seconds() + Self.longestUnseen : 0, ordering: .relaxed) }
    }

    /// Extends the recording, if there is one, because an operator looks at it.
    func isSeen() {
        if isRecording { isRecording = true }
    }

    /// Whether to keep anything of a request with that status: for most requests, this check is the only cost.
    public func wants(_ status: HTTPStatus) -> Bool {
        isRecording || status == .conflict || status == .preconditionFailed
    }

    /// Records what is wanted of a request.
    public func take(_ exchange: Exchange, of request: HTTPRequest, _ answer: RouteResponse) {
        guard exchange.path != "/_", !exchange.path.hasPrefix("/_/") else { return }
        var exchange = exchange
        exchange.table = answer.table ?? exchange.table
        exchange.operation = answer.operation?.rawValue
        exchange.generation = answer.caller?.generation.name
        if isRecording { exchanges.append(Redaction.redacted(exchange)) }
        let status = answer.response.status
        guard status == .conflict || status == .preconditionFailed, let table = answer.table, answer.operation != nil
        else { return }
        let current = answer.response.body.joined ?? []
        kept.withLock { kept in
            kept.last += 1
            kept.all.append(
                RecordedConflict(
                    number: kept.last, at: exchange.start, table: table, status: status.rawValue,
                    installation: request.fields["X-ZUMO-INSTALLATION-ID"],
                    path: exchange.path, sent: Self.bounded(request.body), current: Self.bounded(current)))
            if kept.all.count > Self.mostConflicts { kept.all.removeFirst() }
        }
    }

    private static func bounded(_ body: [UInt8]) -> [UInt8] {
        body.count <= conflictBytes ? body : []
    }

    /// The conflicts, the oldest first.
    var conflicts: [RecordedConflict] { kept.withLock { $0.all } }
}
