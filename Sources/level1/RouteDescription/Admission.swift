/// Who may use a route.
public struct Admission: Sendable {
    /// The schemes, each of which is sufficient; empty if none is required.
    let schemes: [SecurityScheme]

    /// No credentials are required.
    public static let everybody = Admission(schemes: [])

    /// Only users with a valid token.
    public static let user = Admission(schemes: [.token, .bearer])

    /// Callers with the master key; or with a token of the admin role, which OpenAPI can't express.
    public static let admin = Admission(schemes: [.masterKey])

    /// Admits callers who satisfy one of the schemes.
    package init(schemes: [SecurityScheme]) {
        self.schemes = schemes
    }
}
