import Access
import ByteText
import HTTPModel
import JSONText
import TableOperations

/// Who asks, and by what request, as scripts see it.
enum ScriptCaller {
    /// The user, as `user` or `context.user`.
    static func user(_ caller: Principal, _ request: CurrentRequest?) -> JSONValue {
        let user = caller.user
        let provider = user.flatMap(provider)
        let claims = (user?.claims ?? [:]).sorted { $0.key < $1.key }.map { JSONMember($0.key, .string($0.value)) }
        var identities = JSONValue.null
        if let user, let provider {
            identities = .object([
                JSONMember(provider, .object([JSONMember("userId", .string(user.id))] + claims))
            ])
        }
        return [
            "id": user.map { .string($0.id) } ?? .null, "level": .string(level(caller)),
            "provider": provider.map { .string($0) } ?? .null, "claims": .object(claims), "identities": identities,
            "token": user == nil ? .null : request?.http.fields["X-ZUMO-AUTH"].map { .string($0) } ?? .null,
        ]
    }

    /// Whose doing a call is: the user's, or the address's where nobody has signed in.
    static func key(_ caller: Principal, _ request: CurrentRequest?) -> String {
        caller.user.map { "user \($0.id)" } ?? "address \(request?.address ?? "")"
    }

    private static func level(_ caller: Principal) -> String {
        switch caller {
        case .anonymous: "anonymous"
        case .application: "application"
        case .user: "user"
        case .admin: "admin"
        }
    }

    /// What the token says, else what stands before the colon of an id of Mobile Services.
    private static func provider(of user: Principal.User) -> String? {
        if let provider = user.claims["idp"] { return provider.lowercased() }
        // By code points: a mark behind the colon would hide it.
        guard let colon = user.id.unicodeScalars.firstIndex(of: ":"), !user.id.beginsExactly("sid:") else { return nil }
        return user.id[..<colon].lowercased()
    }

    /// What a request asks for, and from where; its fields and its body go by themselves.
    static func line(_ request: CurrentRequest?) -> JSONValue {
        guard let request else { return .null }
        let http = request.http
        return [
            "id": .string(http.fields["X-Request-Id"] ?? ""), "method": .string(http.method.name),
            "url": .string(String(decoding: http.target, as: UTF8.self)), "address": .string(request.address),
            "secured": .boolean(http.isSecured),
        ]
    }

    /// The cookies without the server's own: those of the data page, and of logins that have begun.
    static func cookies(_ value: String) -> String {
        value.split(separator: ";").filter { cookie in
            !["zumod_page_", "zumod-login-"].contains { cookie.prefix { $0 != "=" }.contains($0) }
        }.joined(separator: ";")
    }

    /// The request, without the keys of the server's operators.
    static func request(_ request: CurrentRequest?) -> JSONValue {
        guard let request else { return .null }
        let http = request.http
        var headers: [JSONMember] = []
        for (name, value) in http.fields.all {
            let folded = name.lowercased()
            guard folded != "x-zumo-master", folded != "authorization" else { continue }
            let value = folded == "cookie" ? cookies(value) : value
            if folded != "cookie" || !value.isEmpty { headers.append(JSONMember(folded, .string(value))) }
        }
        var parameters: [JSONMember] = []
        for member in request.target.query where !member.name.isEmpty {
            parameters.append(JSONMember(member.name, .string(member.value)))
        }
        return [
            "id": .string(http.fields["X-Request-Id"] ?? ""), "method": .string(http.method.name),
            "url": .string(String(decoding: http.target, as: UTF8.self)), "headers": .object(headers),
            "parameters": .object(parameters), "address": .string(request.address), "secured": .boolean(http.isSecured),
        ]
    }
}
