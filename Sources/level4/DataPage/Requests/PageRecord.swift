public import Exchanges
public import HTTPModel
import JSONText
internal import Synchronization
import Tables
public import ZumoProtocol

/// The requests of this server, for the page: the newest ones while somebody records them, and conflicts in any case.
public final class PageRecord: Sendable {
    /// The most requests, the most bytes of all, and of one body.
    static let limits = ExchangeRecord.Limits(count: 500, bytes: 8 << 20, bodyBytes: 64 << 10)
    /// The most conflicts, and the most bytes of one row of them.
    static let mostConflicts = 100
    static let conflictBytes = 16 << 10

    let exchanges = ExchangeRecord(PageRecord.limits)
    /// Seconds after which nobody who looks at them is there any more, so that nothing more is kept.
    static let longestUnseen: Int64 = 3_600
    /// When recording ends, by `seconds`; zero if nothing is recorded.
    private let end = Atomic<Int64>(0)
    private let seconds: @Sendable () -> Int64
    private let kept = Mutex(Conflicts())

    private struct Conflicts {
        var all: [RecordedConflict] = []
        var last = 0
    }

    /// Records nothing yet.
    public convenience init() {
        let start = ContinuousClock.now
        self.init { start.duration(to: .now).components.seconds }
    }

    /// - Parameter seconds: a clock, from whenever.
    init(seconds: @escaping @Sendable () -> Int64) {
        self.seconds = seconds
    }

    /// Whether requests are kept.
    var isRecording: Bool {
        get {
            let end = end.load(ordering: .relaxed)
            return end > 0 && seconds() < end
        }
        set { end.store(newValue ? seconds() + Self.longestUnseen : 0, ordering: .relaxed) }
    }

    /// Somebody looks at the requests: they are recorded for another while, if they are.
    func isSeen() {
        if isRecording { isRecording = true }
    }

    /// Whether to keep anything of a request with that answer: the only cost here for most requests.
    public func wants(_ status: HTTPStatus) -> Bool {
        isRecording || status == .conflict || status == .preconditionFailed
    }

    /// Keeps what is wanted of a request.
    public func take(_ exchange: Exchange, of request: HTTPRequest, _ answer: RouteResponse) {
        guard exchange.path != "/_", !exchange.path.hasPrefix("/_/") else { return }
        var exchange = exchange
        exchange.table = answer.table ?? exchange.table
        exchange.operation = answer.operation?.rawValue
        exchange.generation = answer.sender?.generation.name
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

    /// The oldest first.
    var conflicts: [RecordedConflict] { kept.withLock { $0.all } }
}
