import DataPage
import Exchanges
import HTTPModel
import OData
import Tables
import ZumoProtocol

/// Hands the page what it wants to keep of requests.
struct PageObserver: RequestObserver {
    let record: PageRecord

    func begin(id: String, _ request: HTTPRequest) {}

    func end(_ event: RequestEvent) {
        guard record.wants(event.answer.response.status) else { return }
        let start = SystemClock.now().earlier(by: event.time)
        let exchange = Exchange(
            event.request, id: event.id, start: start, duration: event.time, answer: event.answer.response)
        record.take(exchange, of: event.request, event.answer)
    }
}
