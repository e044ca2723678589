package import HTTPModel
import MetricSeries
import Synchronization
package import ZumoProtocol

/// Counts requests by route, method and status, and measures their durations.
///
/// Every series is stored when it is first needed, so that a request looks nothing up by name and takes no lock.
package final class RequestMetrics: RequestObserver {
    private let registry: MetricRegistry
    private let durations: [Durations]
    /// The counters of each route by method, since few methods are ever used on a route.
    private let counters = InlineArray<48, AtomicLazyReference<StatusCounters>> { _ in AtomicLazyReference() }
    private let cutAnswers: Counter

    init(_ registry: MetricRegistry) {
        self.registry = registry
        cutAnswers = registry.counter("zumod_answers_cut_total")
        durations = RouteGroup.allCases.filter { $0 != .unread }.map {
            registry.durations("zumod_request_duration_seconds", [("route", "\($0)")])
        }
        precondition(counters.count == RouteGroup.allCases.count * HTTPMethod.kindCount)
    }

    package func begin(id: String, _ request: HTTPRequest) {}

    package func end(_ event: RequestEvent) {
        let status = event.answer.response.status
        guard event.group != .unread else { return count(.unread, .other(""), status) }
        count(event.group, event.request.method, status)
        durations[event.group.rawValue].record(nanoseconds: event.nanoseconds)
    }

    package func didDeliver(_ event: RequestEvent, _ end: ResponseDelivery.End) {
        if case .cut = end { cutAnswers.increment() }
    }

    private func count(_ route: RouteGroup, _ method: HTTPMethod, _ status: HTTPStatus) {
        let place = route.rawValue * HTTPMethod.kindCount + method.kind
        let statuses = counters[place].load() ?? counters[place].storeIfNil(StatusCounters())
        statuses.counter(of: status) {
            registry.counter(
                "zumod_requests_total",
                [("route", "\(route)"), ("method", method.kindName), ("status", String(status.rawValue))])
        }.increment()
    }
}

/// The counters of one route and method.
private final class StatusCounters: Sendable {
    /// For the statuses from 200 to 599.
    private let counters = InlineArray<400, AtomicLazyReference<Counter>> { _ in AtomicLazyReference() }

    /// - Parameter make: may be called twice if two requests are first; both calls return the same series.
    func counter(of status: HTTPStatus, make: () -> Counter) -> Counter {
        let place = status.rawValue - 200
        return counters[place].load() ?? counters[place].storeIfNil(make())
    }
}

extension HTTPMethod {
    fileprivate static let kindCount = 8

    /// An index below `kindCount`.
    fileprivate var kind: Int {
        switch self {
        case .get: 0
        case .head: 1
        case .post: 2
        case .put: 3
        case .patch: 4
        case .delete: 5
        case .options: 6
        case .other: 7
        }
    }

    /// The method's name; a client's own method is not repeated.
    fileprivate var kindName: String {
        if case .other = self { "OTHER" } else { name }
    }
}
