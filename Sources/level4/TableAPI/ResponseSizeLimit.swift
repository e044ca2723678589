public import HTTPModel

/// How large a list may get.
public struct ResponseSizeLimit: Sendable {
    /// A page ends with the row that makes it as large as this.
    public var bytes = 64 << 20
    /// The same for a page after which its client continues, however few rows it has.
    public var shortBytes = 4 << 20
    /// What all requests and answers together may hold.
    public var budget = ByteBudget(512 << 20)

    /// The defaults of the sample configuration.
    public init() {}

    /// The same for a page that may end early.
    var short: ResponseSizeLimit {
        var allowance = self
        allowance.bytes = min(bytes, shortBytes)
        return allowance
    }
}
