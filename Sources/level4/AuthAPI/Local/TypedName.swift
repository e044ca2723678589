import Access
public import Tables

extension UserStore {
    /// The account that somebody means who typed a name, and its own name: that with the very letters first, so that accounts of
    /// names that look alike go on (RFC 8265).
    public func account(
        typed name: String
    ) async throws(TableError) -> (name: String, account: UserAccount)? {
        for name in PreparedText.names(name) {
            if let account = try await account(ofUser: name) { return (name, account) }
        }
        return nil
    }
}
