public import HTTPModel
public import Tables

/// What of a request bears on a write, beside the row and its caller.
public struct WriteCall: Sendable {
    /// The members of the query that are no options of the protocol, in their order.
    public let parameters: [Parameter]
    /// By what the write is known again; nil where it is new each time.
    public internal(set) var receipt: WriteReceipt?
    /// By what can be asked whether the answer arrived; nil where nobody can tell.
    public let answer: ResponseTicket?

    /// The same call for a row whose id the server chooses. Since that is another one each time, such a write is known
    /// again only where it is to be done once.
    public var choosingID: WriteCall {
        var call = self
        if receipt?.isOnce == false { call.receipt = nil }
        return call
    }

    /// A member of the query.
    public struct Parameter: Sendable, Equatable {
        /// The name, decoded.
        public let name: String
        /// The value, decoded.
        public let value: String

        /// Makes a parameter.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// Makes a call.
    public init(
        parameters: [Parameter] = [], receipt: WriteReceipt? = nil, answer: ResponseTicket? = nil
    ) {
        self.parameters = parameters
        self.receipt = receipt
        self.answer = answer
    }
}
