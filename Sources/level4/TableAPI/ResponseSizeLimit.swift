public import HTTPModel

/// The maximum size of a list.
public struct ResponseSizeLimit: Sendable {
    /// A page ends with the row that makes it reach this size.
    public var bytes = 64 << 20
    /// The same for a page after which the client continues, however few rows it has.
    public var shortBytes = 4 << 20
    /// The limit for what all requests and answers hold together.
    public var budget = ByteBudget(512 << 20)

    /// Creates the defaults of the sample configuration.
    public init() {}

    /// The limit for a page that may end early.
    var short: ResponseSizeLimit {
        var allowance = self
        allowance.bytes = min(bytes, shortBytes)
        return allowance
    }
}
