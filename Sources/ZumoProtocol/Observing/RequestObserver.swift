public import HTTPModel

/// Told about requests, on their event loops: it must not block.
public protocol RequestObserver: AnyObject, Sendable {
    /// Called before anything is done.
    func begin(id: String, _ request: HTTPRequest)
    /// Called when the answer is ready.
    func end(_ event: RequestEvent)
    /// Called after that if the stream of an answer broke off.
    func didBreakOff(id: String, _ request: HTTPRequest, because error: any Error)
    /// Called after `end` with what became of a large answer.
    func didDeliver(_ event: RequestEvent, _ end: ResponseDelivery.End)
}

extension RequestObserver {
    /// Most have no use for it.
    public func didBreakOff(id: String, _ request: HTTPRequest, because error: any Error) {}
    /// Nor for this.
    public func didDeliver(_ event: RequestEvent, _ end: ResponseDelivery.End) {}
}
