import HTTPModel
import Synchronization

/// Bodies that don't arrive as they should.
enum BrokenBody {
    /// Why a body breaks off: a test asked for it.
    struct Cut: Error, CustomStringConvertible {
        /// For the log.
        let description = "a fault of the test cuts the answer"
    }

    /// A body that announces its full length and breaks off halfway.
    static func half(of body: [UInt8]) -> ResponseStream {
        let isSent = Mutex(false)
        return ResponseStream(length: body.count) {
            let first = isSent.withLock { isSent in
                defer { isSent = true }
                return !isSent
            }
            guard first else { throw Cut() }
            return Array(body.prefix(body.count / 2))
        }
    }

    /// A body that is sent in ten pieces a second, at a given total rate.
    /// - Parameter hurries: whether the rest should be sent at once.
    static func slow(
        _ body: [UInt8], bytesPerSecond rate: Int, hurries: @escaping @Sendable () -> Bool
    ) -> ResponseStream {
        let sent = Mutex(0)
        let began = ContinuousClock.now
        return ResponseStream(length: body.count) {
            let place = sent.withLock { $0 }
            guard place < body.count else { return nil }
            let due = began + .nanoseconds(Int64(Double(place) / Double(rate) * 1e9))
            while .now < due, !hurries() {
                try await Task.sleep(until: min(due, .now + .milliseconds(100)), clock: .continuous)
            }
            let end = hurries() ? body.count : min(body.count, place + max(1, rate / 10))
            sent.withLock { $0 = end }
            return Array(body[place..<end])
        }
    }
}
