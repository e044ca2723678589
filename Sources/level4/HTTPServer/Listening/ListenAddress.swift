/// Where a server listens.
public enum ListenAddress: Sendable {
    /// An IPv4 or IPv6 address or a name such as `localhost`, and a port, 0 for any free one.
    ///
    /// If it is shared, another process of the same user may listen there too: the one that started last gets the
    /// connections, and one that drains still accepts those that were on their way to it.
    case address(host: String, port: UInt16, isShared: Bool)
    /// A socket that is already listening, which the server owns from then on.
    case socket(Int32)

    var isShared: Bool {
        if case .address(_, _, let isShared) = self { isShared } else { false }
    }
}
