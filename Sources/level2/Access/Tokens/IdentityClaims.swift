internal import JSONText

/// The claims of tokens about a person, besides their identity.
public enum IdentityClaims {
    /// The claim of the server's own tokens with the roles at the provider, as a JSON list: they aren't roles here.
    static let providerRoles = "idp_roles"

    /// Returns the claims of a provider's token that the server's own token keeps, each as text, except those that
    /// would make the token too large for header fields.
    /// - Parameter token: a token whose signature has been verified.
    public static func kept(of token: String) -> [String: String] {
        guard let claims = claims(of: token) else { return [:] }
        var kept: [String: String] = [:]
        var room = mostBytes
        func keep(_ name: String, _ text: String) {
            guard text.utf8.count <= min(room, mostBytesOfClaim) else { return }
            room -= text.utf8.count
            kept[name] = text
        }
        for name in person {
            if let text = texts(of: claims[name]).first { keep(name, text) }
        }
        let roles = TokenRoles.of(claims)
        if !roles.isEmpty { keep(providerRoles, JSONValue.array(roles.map(JSONValue.string)).jsonText) }
        return kept
    }

    /// Returns what `/.auth/me` shows of a token, by name: each value of a list is a claim, as on App Service, and a
    /// claim with a longer name in .NET, which clients of App Service look for, also appears under that one.
    /// - Parameter token: a token whose signature has been verified.
    public static func all(of token: String) -> [(type: String, value: String)] {
        guard let claims = claims(of: token) else { return [] }
        var all: [(type: String, value: String)] = []
        for (name, value) in claims.members.sorted(by: { $0.key < $1.key }) {
            let isRoles = name == providerRoles
            var values = texts(of: value)
            if isRoles, let text = values.first, case .array(let roles)? = try? JSONReader.parse(Array(text.utf8)) {
                values = roles.flatMap { texts(of: $0) }
            }
            for value in values {
                all.append((isRoles ? "roles" : name, value))
                if let long = isRoles ? TokenRoles.longName : longNames[name] { all.append((long, value)) }
            }
        }
        return all
    }

    /// The maximum number of bytes kept: a token is sent with each request, and proxies accept 8 KiB of fields.
    private static let mostBytes = 2_500
    private static let mostBytesOfClaim = 1_000

    /// The claims that are kept, most useful first.
    private static let person = [
        "email", "email_verified", "name", "preferred_username", "picture", "oid", "tid", "given_name", "family_name",
        "nickname", "upn", "unique_name", "locale", "hd", "phone_number", "phone_number_verified", "cognito:username",
    ]

    private static let longNames: [String: String] = {
        let soap = "http://schemas.xmlsoap.org/ws/2005/05/identity/claims/"
        let microsoft = "http://schemas.microsoft.com/identity/claims/"
        return [
            "sub": soap + "nameidentifier", "email": soap + "emailaddress", "given_name": soap + "givenname",
            "family_name": soap + "surname", "unique_name": soap + "name", "upn": soap + "upn",
            "oid": microsoft + "objectidentifier", "tid": microsoft + "tenantid", "role": TokenRoles.longName,
            "roles": TokenRoles.longName,
        ]
    }()

    private static func claims(of token: String) -> StrictObject? {
        guard let read = try? CompactToken(token) else { return nil }
        return try? StrictObject(token: read.payload)
    }

    /// Returns a claim as texts: list elements separately, and values other than text as JSON.
    private static func texts(of value: JSONValue?) -> [String] {
        switch value {
        case nil, .null: []
        case .string(let text): [text]
        case .array(let elements): elements.flatMap { texts(of: $0) }
        case let value?: [value.jsonText]
        }
    }
}

/// The roles in a token, by the same rule for all issuers.
enum TokenRoles {
    /// .NET's claim name for roles.
    static let longName = "http://schemas.microsoft.com/ws/2008/06/identity/claims/role"

    private static let names = ["role", "roles", longName]

    /// Each claim is a text or a list of texts.
    static func of(_ claims: StrictObject) -> [String] {
        names.flatMap { name -> [String] in
            switch claims[name] {
            case .string(let role): [role]
            case .array(let roles): roles.compactMap { if case .string(let role) = $0 { role } else { nil } }
            default: []
            }
        }
    }

    /// Returns whether the token has a role, without building a list.
    static func contain(_ role: String, in claims: StrictObject) -> Bool {
        let wanted = JSONValue.string(role)
        return names.contains { name in
            guard let value = claims[name] else { return false }
            if case .array(let roles) = value { return roles.contains(wanted) }
            return value == wanted
        }
    }
}
