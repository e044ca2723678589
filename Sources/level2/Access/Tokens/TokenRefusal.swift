/// A token's fault, with details for the log about the claim at fault.
struct TokenRefusal: Error {
    let fault: TokenFault
    /// The claim, its value, and what was expected; nil if no claim is at fault.
    let claim: (name: String, value: String, wanted: [String])?

    init(_ fault: TokenFault, _ claim: (name: String, value: String, wanted: [String])? = nil) {
        self.fault = fault
        self.claim = claim
    }

    /// For example, `The token is not for this server. Its aud is "a"; wanted is "b" or "c".`
    var words: String {
        guard let claim else { return fault.rawValue }
        let wanted = claim.wanted.prefix(Self.mostWanted).map { Self.excerpt($0) }.joined(separator: " or ")
        return
            "\(fault.rawValue) Its \(claim.name) is \(Self.excerpt(claim.value)); wanted is \(wanted.isEmpty ? "nothing" : wanted)."
    }

    /// The maximum number of expected values shown.
    private static let mostWanted = 8
    /// The maximum length in characters of a value shown: the content of a token is up to its author.
    private static let mostCharacters = 120

    private static func excerpt(_ text: String) -> String {
        text.unicodeScalars.count <= mostCharacters
            ? text : String(String.UnicodeScalarView(text.unicodeScalars.prefix(mostCharacters))) + "…"
    }

    /// Returns the refusal to report for a token that several profiles refuse: the first one for the token's issuer,
    /// otherwise one for all of them.
    static func of(_ refusals: [TokenRefusal]) -> TokenRefusal? {
        if let closest = refusals.first(where: { $0.fault != .wrongIssuer }) { return closest }
        guard let first = refusals.first, let claim = first.claim else { return refusals.first }
        var wanted: [String] = []
        for issuer in refusals.flatMap({ $0.claim?.wanted ?? [] }) where !wanted.contains(issuer) {
            wanted.append(issuer)
        }
        return TokenRefusal(first.fault, (claim.name, claim.value, wanted))
    }
}
