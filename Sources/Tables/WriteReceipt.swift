public import OData

/// By what a store knows a write again, should its client not have got the answer and send it once more.
public struct WriteReceipt: Sendable, Equatable {
    /// What only the very same request has: a hash of who sends it and of all that it says.
    public let key: [UInt8]
    /// Whether the client has marked the request as one to be done once, whatever became of its row since. Without the
    /// mark a write is done as often as it is sent, unless it would be refused.
    public let isOnce: Bool
    /// For how long the write is known again.
    public let window: Duration

    /// Makes a receipt.
    public init(key: [UInt8], isOnce: Bool, window: Duration) {
        self.key = key
        self.isOnce = isOnce
        self.window = window
    }

    /// When the window began that ends now.
    public func start(of now: Instant) -> Instant {
        Instant(milliseconds: now.milliseconds - window.components.seconds * 1_000)
    }
}

extension [UInt8] {
    /// The bytes as lower-case hexadecimal digits.
    public var hexText: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// The bytes that hexadecimal digits stand for.
    /// - Returns: nil where the text is not pairs of such digits.
    public init?(hexText: String) {
        let values = hexText.compactMap(\.hexDigitValue)
        guard values.count.isMultiple(of: 2), values.count == hexText.utf8.count else { return nil }
        self = stride(from: 0, to: values.count, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) }
    }
}
