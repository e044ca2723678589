import Tables

/// Who wins when a write's precondition fails. The raw values are the words of table files.
public enum ConflictPolicy: String, Sendable, CaseIterable {
    /// The write is refused with the current row, and the client decides.
    case client
    /// The write is done anyway.
    case clientWins
    /// The write is not done, and the client is answered with the current row as if it were.
    case serverWins

    /// Reads the parameter `conflictPolicy` of a write, as the server of the official client suites did: `client` alone
    /// means that the client wins there. Any other word leaves the decision to the client.
    public init(parameter: String) {
        switch parameter.lowercased() {
        case "client", "clientwins": self = .clientWins
        case "server", "serverwins": self = .serverWins
        default: self = .client
        }
    }

    /// Returns the precondition to pass to the store.
    func applied(to precondition: Precondition) -> Precondition {
        self == .clientWins ? .none : precondition
    }

    /// The name of the parameter, in lower case.
    static let parameterName = "conflictpolicy"
}
