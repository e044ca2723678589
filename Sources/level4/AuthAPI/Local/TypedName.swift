import Access
public import Tables

extension UserStore {
    /// Returns the account that a user means by a typed name, and its own name. An exact match comes first, so that
    /// existing accounts with similar names stay usable (RFC 8265).
    public func account(
        typed name: String
    ) async throws(TableError) -> (name: String, account: UserAccount)? {
        for name in PreparedText.names(name) {
            if let account = try await account(ofUser: name) { return (name, account) }
        }
        return nil
    }
}
