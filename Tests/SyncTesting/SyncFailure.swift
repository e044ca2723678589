/// Why a pull or a push came to nothing.
public enum SyncFailure: Error, Equatable {
    /// The connection broke before the answer was complete: a client can't know whether the server took the request.
    case connectionLost
    /// The server answered with an error.
    case refused(status: String, body: String)
    /// An answer that the library can't work with: it would crash, lose a conflict or begin again for ever.
    case unreadable(String)
}
