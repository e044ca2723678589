public import Access
public import RouteDescription

extension Admission {
    /// Determines which callers are admitted by trying each kind.
    /// - Parameters:
    ///   - nobody: the principal of a caller without credentials.
    ///   - decide: decides for a principal.
    /// - Returns: nil if no one at all is admitted.
    public init?(nobody: Principal, deciding decide: (Principal) -> AccessDecision) {
        guard decide(.admin(nil)) == .allowed else { return nil }
        var schemes: [SecurityScheme] = []
        if decide(nobody) != .allowed {
            if decide(.application) == .allowed { schemes.append(.applicationKey) }
            if decide(.user(Principal.User(id: "somebody"))) == .allowed { schemes += [.token, .bearer] }
            schemes.append(.masterKey)
        }
        self.init(schemes: schemes)
    }
}
