public import HTTPModel

/// How much a list may come to.
public struct AnswerAllowance: Sendable {
    /// A page ends with the row by which it gets as large as this.
    public var bytes = 64 << 20
    /// The same for a page whose client goes on behind it, however few rows it has.
    public var shortBytes = 4 << 20
    /// What all requests and answers together may hold.
    public var budget = ByteBudget(512 << 20)

    /// The defaults of the sample configuration.
    public init() {}

    /// The same for a page that may end early.
    var short: AnswerAllowance {
        var allowance = self
        allowance.bytes = min(bytes, shortBytes)
        return allowance
    }
}
