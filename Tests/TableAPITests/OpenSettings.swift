import Access

@testable import TableAPI

extension TableSettings {
    /// Settings without keys, where every caller is let in.
    static var open: TableSettings {
        TableSettings(authenticator: Authenticator(verifier: TokenVerifier()))
    }
}
