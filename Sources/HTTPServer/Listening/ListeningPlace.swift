/// Where a server listens.
public enum ListeningPlace: Sendable {
    /// An IPv4 or IPv6 address or a name such as `localhost`, and a port, 0 for any free one.
    ///
    /// Where it is shared, another process of the same user may listen there too: the one that came last gets the
    /// connections, and one that drains takes those that were on their way to it.
    case address(host: String, port: UInt16, isShared: Bool)
    /// A socket that listens already, which is the server's from then on.
    case socket(Int32)

    var isShared: Bool {
        if case .address(_, _, let isShared) = self { isShared } else { false }
    }
}
