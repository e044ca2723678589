import Access
import ByteText
import TableOperations

/// The caller and the request of a script, as scripts see them.
enum ScriptCaller {
    /// Returns the key that calls are attributed to: the user, or the address if no one is signed in.
    static func key(_ caller: Principal, _ request: CurrentRequest?) -> String {
        caller.user.map { "user \($0.id)" } ?? "address \(request?.address ?? "")"
    }

    /// Returns the kind of caller, in one word.
    static func level(_ caller: Principal) -> String {
        switch caller {
        case .anonymous: "anonymous"
        case .application: "application"
        case .user: "user"
        case .admin: "admin"
        }
    }

    /// Returns the provider in the token, otherwise the part before the colon of a Mobile Services id.
    static func provider(of user: Principal.User) -> String? {
        if let provider = user.claims["idp"] { return provider.lowercased() }
        // By code points: a combining mark after the colon would hide it.
        guard let colon = user.id.unicodeScalars.firstIndex(of: ":"), !user.id.beginsExactly("sid:") else { return nil }
        return user.id[..<colon].lowercased()
    }

    /// Returns the cookies without the server's own: those of the data page, and of logins in progress.
    static func cookies(_ value: String) -> String {
        value.split(separator: ";").filter { cookie in
            !["zumod_page_", "zumod-login-"].contains { cookie.prefix { $0 != "=" }.contains($0) }
        }.joined(separator: ";")
    }
}
