/// A change that a client has made to its copy and not yet pushed. A row has one at most: later changes are put
/// together with it, as every library does.
struct PendingOperation: Equatable {
    enum Kind {
        case insert, update, delete
    }

    let id: String
    var kind: Kind
    /// The version at the deletion, when the row itself is gone from the copy.
    var version: String?
    /// Whether it was sent, and perhaps taken, without an answer.
    var wasSent = false
}
