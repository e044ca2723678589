public import Access
import JSONText

/// Whom a route is for, found out by asking as such callers would.
public struct Admission: Sendable {
    /// The schemes of which each by itself is enough; none where nothing needs to be shown.
    let schemes: [SecurityScheme]

    /// A route that asks nobody anything.
    public static let everybody = Admission(schemes: [])

    /// The user of a valid token, and nobody else.
    public static let user = Admission(schemes: [.token, .bearer])

    /// Whoever shows the master key; a token with the admin role is as good, which no scheme of OpenAPI can say.
    public static let admin = Admission(schemes: [.masterKey])

    /// Asks for each kind of caller.
    /// - Parameters:
    ///   - nobody: who a caller is that shows nothing.
    ///   - decide: what a caller is told.
    /// - Returns: nil where nobody at all may.
    public init?(nobody: Principal, deciding decide: (Principal) -> AccessDecision) {
        guard decide(.admin(nil)) == .allowed else { return nil }
        var schemes: [SecurityScheme] = []
        if decide(nobody) != .allowed {
            if decide(.application) == .allowed { schemes.append(.applicationKey) }
            if decide(.user(Principal.User(id: "somebody"))) == .allowed { schemes += [.token, .bearer] }
            schemes.append(.masterKey)
        }
        self.schemes = schemes
    }

    private init(schemes: [SecurityScheme]) {
        self.schemes = schemes
    }
}

/// The ways to show who one is. The raw values are their names in the document.
enum SecurityScheme: String, CaseIterable, Sendable {
    case applicationKey, token, bearer, masterKey

    var json: JSONValue {
        switch self {
        case .applicationKey: Self.key("X-ZUMO-APPLICATION", "The key of the application.")
        case .token: Self.key("X-ZUMO-AUTH", "The token of a user, as a login answers it.")
        case .masterKey: Self.key("X-ZUMO-MASTER", "The key that opens everything; not for apps.")
        case .bearer:
            [
                "type": "http", "scheme": "bearer", "bearerFormat": "JWT",
                "description": "The token of a user, for libraries that don't know X-ZUMO-AUTH.",
            ]
        }
    }

    private static func key(_ name: String, _ meaning: String) -> JSONValue {
        ["type": "apiKey", "in": "header", "name": .string(name), "description": .string(meaning)]
    }
}
