/// Who may use a route.
public struct Admission: Sendable {
    /// The schemes of which each by itself is enough; none if nothing is required.
    let schemes: [SecurityScheme]

    /// A route that asks nobody anything.
    public static let everybody = Admission(schemes: [])

    /// The user of a valid token, and nobody else.
    public static let user = Admission(schemes: [.token, .bearer])

    /// Callers with the master key; a token with the admin role is as good, which no OpenAPI scheme can say.
    public static let admin = Admission(schemes: [.masterKey])

    /// For who shows what one of the schemes asks for.
    package init(schemes: [SecurityScheme]) {
        self.schemes = schemes
    }
}
