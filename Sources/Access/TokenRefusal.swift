/// A token's fault, with what the log says of the claim that is at fault.
struct TokenRefusal: Error {
    let fault: TokenFault
    /// The claim, what it says, and what was wanted instead; nil where no claim is at fault.
    let claim: (name: String, value: String, wanted: [String])?

    init(_ fault: TokenFault, _ claim: (name: String, value: String, wanted: [String])? = nil) {
        self.fault = fault
        self.claim = claim
    }

    /// `The token is not for this server. Its aud is "a"; wanted is "b" or "c".`
    var words: String {
        guard let claim else { return fault.rawValue }
        let wanted = claim.wanted.prefix(Self.mostWanted).map { Self.excerpt($0) }.joined(separator: " or ")
        return
            "\(fault.rawValue) Its \(claim.name) is \(Self.excerpt(claim.value)); wanted is \(wanted.isEmpty ? "nothing" : wanted)."
    }

    /// The most values that are told.
    private static let mostWanted = 8
    /// The most of a value that is told: what a token says is its maker's.
    private static let mostCharacters = 120

    private static func excerpt(_ text: String) -> String {
        text.unicodeScalars.count <= mostCharacters
            ? text : String(String.UnicodeScalarView(text.unicodeScalars.prefix(mostCharacters))) + "…"
    }

    /// What is told of a token that several entries refuse: by the first whose issuer it is, else by all of them.
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
