import Access
import ByteText
import TableOperations

/// Who asks, and by what request, as scripts see it.
enum ScriptCaller {
    /// Whose doing a call is: the user's, or the address's where nobody has signed in.
    static func key(_ caller: Principal, _ request: CurrentRequest?) -> String {
        caller.user.map { "user \($0.id)" } ?? "address \(request?.address ?? "")"
    }

    /// What stands behind it, in one word.
    static func level(_ caller: Principal) -> String {
        switch caller {
        case .anonymous: "anonymous"
        case .application: "application"
        case .user: "user"
        case .admin: "admin"
        }
    }

    /// What the token says, else what stands before the colon of an id of Mobile Services.
    static func provider(of user: Principal.User) -> String? {
        if let provider = user.claims["idp"] { return provider.lowercased() }
        // By code points: a mark behind the colon would hide it.
        guard let colon = user.id.unicodeScalars.firstIndex(of: ":"), !user.id.beginsExactly("sid:") else { return nil }
        return user.id[..<colon].lowercased()
    }

    /// The cookies without the server's own: those of the data page, and of logins that have begun.
    static func cookies(_ value: String) -> String {
        value.split(separator: ";").filter { cookie in
            !["zumod_page_", "zumod-login-"].contains { cookie.prefix { $0 != "=" }.contains($0) }
        }.joined(separator: ";")
    }
}
