import JSONText

/// The ways to authenticate. The raw values are their names in the document.
package enum SecurityScheme: String, CaseIterable, Sendable {
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
