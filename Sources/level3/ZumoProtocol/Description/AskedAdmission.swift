public import Access
public import RouteDescription

extension Admission {
    /// Asks for each kind of caller.
    /// - Parameters:
    ///   - nobody: the principal of a caller that shows nothing.
    ///   - decide: what a caller is told.
    /// - Returns: nil if nobody at all is admitted.
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
