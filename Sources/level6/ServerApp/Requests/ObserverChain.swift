import HTTPModel
import ZumoProtocol

/// Observers in a linked list: iterating over an array would update a reference count for each, and all threads share
/// these counts.
final class ObserverChain: Sendable {
    private let observer: any RequestObserver
    private let next: ObserverChain?

    /// - Returns: nil if there are none.
    init?(_ observers: ArraySlice<any RequestObserver>) {
        guard let first = observers.first else { return nil }
        observer = first
        next = ObserverChain(observers.dropFirst())
    }

    func begin(id: String, _ request: HTTPRequest) {
        observer.begin(id: id, request)
        next?.begin(id: id, request)
    }

    func end(_ event: RequestEvent) {
        observer.end(event)
        next?.end(event)
    }

    func didBreakOff(id: String, _ request: HTTPRequest, because error: any Error) {
        observer.didBreakOff(id: id, request, because: error)
        next?.didBreakOff(id: id, request, because: error)
    }

    func didDeliver(_ event: RequestEvent, _ end: ResponseDelivery.End) {
        observer.didDeliver(event, end)
        next?.didDeliver(event, end)
    }
}
