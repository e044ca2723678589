public import HTTPModel
import OData
public import Tables

/// What of a request bears on a write, beside the row and its caller.
public struct WriteCall: Sendable {
    /// The members of the query that are no options of the protocol, in their order.
    public let parameters: [Parameter]
    /// By what the write is known again; nil where it is new each time.
    public private(set) var receipt: WriteReceipt?
    /// By what can be asked whether the answer arrived; nil where nobody can tell.
    public let answer: AnswerTicket?

    /// The same call for a row whose id the server chooses. Since that is another one each time, such a write is known
    /// again only where it is to be done once.
    public var choosingID: WriteCall {
        var call = self
        if receipt?.isOnce == false { call.receipt = nil }
        return call
    }

    /// The same call as another write of its script, once one of them is done: the receipt is that one's.
    var beyondReceipt: WriteCall {
        var call = self
        call.receipt = nil
        return call
    }

    /// Whether the table's conflict policy decides where the precondition does not hold; otherwise the caller does.
    public var appliesConflictPolicy = true

    /// What has to be true of the row as it is before the write, or there is no such row; nil for nothing. It is part of
    /// the statement that writes.
    var condition: Expression?

    /// Whether nothing is to be written: what is asked is whether there is a row that the caller could write to, before
    /// they are told what else is wrong. Where there is one, `onlyAsked` is thrown.
    public var asksOnly = false

    /// Which attempt at the write it is, counted from 1: a write that looks at its row first is tried again where
    /// another one came between.
    public var attempt = 1

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
        parameters: [Parameter] = [], receipt: WriteReceipt? = nil, answer: AnswerTicket? = nil
    ) {
        self.parameters = parameters
        self.receipt = receipt
        self.answer = answer
    }
}
