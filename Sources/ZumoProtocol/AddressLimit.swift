public import HTTPModel

/// How often one address may ask, whoever it is that asks from there.
public struct AddressLimit: Sendable {
    private let limit: RateLimit
    private let proxies: TrustedProxies

    /// - Parameters:
    ///   - limit: the turns of each address.
    ///   - proxies: those whose word about the address counts.
    public init(_ limit: RateLimit, trusting proxies: TrustedProxies) {
        self.limit = limit
        self.proxies = proxies
    }

    /// Counts a request.
    /// - Returns: nil where it may go ahead; else how many seconds its address has to wait.
    public func wait(for request: HTTPRequest) -> Int? {
        limit.wait(for: ClientAddress.limited(request, trusting: proxies))
    }
}
