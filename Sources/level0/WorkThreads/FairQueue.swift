/// A queue between async callers, who wait for a limited time, and threads, which wait for work. Turns are shared among
/// the askers by a `FairSchedule`.
public final class FairQueue<Element: Sendable>: Sendable {
    private let queue: AnyFairQueue

    /// - Parameters:
    ///   - slots: the number of threads that do work with an asker at a time; the others are for quick work.
    ///   - refuse: tells the caller that work was not started, and why.
    public init(
        slots: Int, limits: QueueLimits = QueueLimits(),
        refuse: @escaping @Sendable (Element, QueueTicket, QueueRefusal) -> Void
    ) {
        queue = AnyFairQueue(slots: slots, limits: limits) { element, ticket, refusal in
            if let element = element as? Element { refuse(element, ticket, refusal) }
        }
    }

    /// Queues work for its turn, or refuses it if no more may wait.
    /// - Parameter isBrief: whether a thread woken for other work may do this too.
    public func push(_ element: Element, _ ticket: QueueTicket, isBrief: Bool = false) {
        queue.push(element, ticket, isBrief: isBrief)
    }

    /// Waits for work and takes it. Call `end` for its ticket.
    /// - Returns: nil if the queue is closed and empty.
    public func take() -> (ticket: QueueTicket, element: Element)? {
        take(upTo: 1) { _, _ in false }?.first
    }

    /// Waits for work and takes it, together with queued work that can be done along with it. Call `end` for each turn.
    /// - Parameters:
    ///   - limit: the maximum amount of work at a time.
    ///   - isAlike: whether work can be done together with the first; both are quick, or both have askers.
    /// - Returns: nil if the queue is closed and empty.
    public func take(
        upTo limit: Int, _ isAlike: @Sendable (_ first: Element, _ other: Element) -> Bool
    ) -> [(ticket: QueueTicket, element: Element)]? {
        let work = queue.take(upTo: limit) { first, other in
            guard let first = first as? Element, let other = other as? Element else { return false }
            return isAlike(first, other)
        }
        return work?.compactMap { ticket, element in (element as? Element).map { (ticket, $0) } }
    }

    /// Records that a ticket's work is done.
    public func end(_ ticket: QueueTicket) {
        queue.end(CollectionOfOne(ticket))
    }

    /// Records that the work of several tickets is done, at once.
    public func end(_ tickets: [QueueTicket]) {
        queue.end(tickets)
    }

    /// The amount of waiting and running work.
    public var load: QueueLoad { queue.load }

    /// Stops accepting work; queued work is still handed out.
    public func close() {
        queue.close()
    }
}

/// The amount of waiting and running work in a queue at a moment.
public struct QueueLoad: Sendable, Equatable {
    /// The amount of waiting quick work.
    public var quick: Int
    /// The amount of waiting work with an asker.
    public var waiting: Int
    /// The amount of running work with an asker.
    public var running: Int
}
