import DataPage
import Exchanges
import HTTPModel
import Scalars
import Tables
import ZumoProtocol

/// Passes the page the requests that it keeps.
final class PageObserver: RequestObserver {
    private let record: PageRecord

    init(record: PageRecord) {
        self.record = record
    }

    func begin(id: String, _ request: HTTPRequest) {}

    func end(_ event: RequestEvent) {
        guard record.wants(event.answer.response.status) else { return }
        let time = Duration.nanoseconds(event.nanoseconds)
        let start = SystemClock.now().earlier(by: time)
        let exchange = Exchange(
            event.request, id: event.id, start: start, duration: time, answer: event.answer.response)
        record.take(exchange, of: event.request, event.answer)
    }
}
