public import HTTPModel
internal import Synchronization

/// The newest exchanges of a server, within limits.
public final class ExchangeRecord: Sendable {
    /// The limits of a record.
    public struct Limits: Sendable {
        /// The maximum number of exchanges.
        public var count: Int
        /// The maximum total size of requests and answers in bytes.
        public var bytes: Int
        /// The maximum size of a single body in bytes; longer ones are truncated.
        public var bodyBytes: Int

        /// Creates limits.
        public init(count: Int = 10_000, bytes: Int = 64 << 20, bodyBytes: Int = 1 << 20) {
            self.count = count
            self.bytes = bytes
            self.bodyBytes = bodyBytes
        }
    }

    private struct Place {
        let exchange: Exchange
        let size: Int
    }

    private struct Kept {
        /// Empty places come first, until they make up half.
        var places: [Place?] = []
        var first = 0
        var bytes = 0
        /// The number of the newest exchange.
        var last = 0

        var count: Int { places.count - first }

        mutating func forgetOldest() {
            bytes -= places[first]?.size ?? 0
            places[first] = nil
            first += 1
            guard first > 16, first * 2 > places.count else { return }
            places.removeFirst(first)
            first = 0
        }
    }

    private let limits: Limits
    private let kept = Mutex(Kept())

    /// Creates an empty record.
    public init(_ limits: Limits = Limits()) {
        self.limits = limits
    }

    /// Adds an exchange, dropping the oldest ones if there is no room.
    /// - Returns: its number.
    @discardableResult
    public func append(_ exchange: Exchange) -> Int {
        var exchange = exchange
        exchange.body = exchange.body.cut(to: limits.bodyBytes)
        if let body = exchange.answer?.body { exchange.answer?.body = body.cut(to: limits.bodyBytes) }
        let size = exchange.size
        return kept.withLock { kept in
            kept.last += 1
            exchange.number = kept.last
            kept.places.append(Place(exchange: exchange, size: size))
            kept.bytes += size
            while kept.count > limits.count || kept.bytes > limits.bytes, kept.count > 0 { kept.forgetOldest() }
            return kept.last
        }
    }

    /// All recorded exchanges, the newest last.
    public var all: [Exchange] {
        kept.withLock { kept in kept.places[kept.first...].compactMap { $0?.exchange } }
    }

    /// How many exchanges have been dropped since the record was empty.
    public var forgotten: Int {
        kept.withLock { kept in kept.last - kept.count }
    }

    /// Returns the exchange with that number; nil if there is none, or it was dropped.
    public func exchange(_ number: Int) -> Exchange? {
        kept.withLock { kept in
            guard number > kept.last - kept.count, number <= kept.last else { return nil }
            return kept.places[number - (kept.last - kept.count) - 1 + kept.first]?.exchange
        }
    }

    /// Returns the first answer to the same GET of the same address; nil if there was none.
    public func firstAnswer(to request: HTTPRequest) -> HTTPResponse? {
        guard request.method == .get else { return nil }
        let first: Exchange? = kept.withLock { kept in
            for case .some(let place) in kept.places[kept.first...] {
                let exchange = place.exchange
                guard exchange.method == .get, exchange.target == request.target else { continue }
                guard let answer = exchange.answer, answer.status == .ok, answer.body.isWhole else { continue }
                if Self.isSameCaller(exchange.fields, request.fields) { return exchange }
            }
            return nil
        }
        return first?.answer.map { HTTPResponse($0.status, fields: $0.fields, body: $0.body.bytes) }
    }

    /// Returns whether the fields that determine the contents and form of an answer are the same.
    private static func isSameCaller(_ one: HTTPFields, _ other: HTTPFields) -> Bool {
        let names: [StaticString] = [
            "X-ZUMO-AUTH", "Authorization", "X-ZUMO-APPLICATION", "X-ZUMO-MASTER", "ZUMO-API-VERSION", "X-ZUMO-VERSION",
            "Origin",
        ]
        return names.allSatisfy { one[$0] == other[$0] }
    }

    /// Removes everything: the next exchange is number 1 again.
    public func removeAll() {
        kept.withLock { $0 = Kept() }
    }
}
