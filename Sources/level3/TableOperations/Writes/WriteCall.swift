public import HTTPModel
public import Tables

/// The parts of a request that affect a write, besides the row and its caller.
public struct WriteCall: Sendable {
    /// The query parameters that aren't options of the protocol, in order.
    public let parameters: [Parameter]
    /// Identifies repeats of the write; nil if it is new each time.
    public internal(set) var receipt: WriteReceipt?
    /// Tells whether the answer arrived; nil if that can't be known.
    public let answer: ResponseTicket?

    /// The same call for a row whose id the server chooses. Since the id differs each time, the receipt is only kept
    /// for a write that is to be done once.
    public var choosingID: WriteCall {
        var call = self
        if receipt?.isOnce == false { call.receipt = nil }
        return call
    }

    /// A query parameter.
    public struct Parameter: Sendable, Equatable {
        /// The name, decoded.
        public let name: String
        /// The value, decoded.
        public let value: String

        /// Creates a parameter.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// Creates a call.
    public init(
        parameters: [Parameter] = [], receipt: WriteReceipt? = nil, answer: ResponseTicket? = nil
    ) {
        self.parameters = parameters
        self.receipt = receipt
        self.answer = answer
    }
}
