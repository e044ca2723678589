internal import ByteText

/// The accepted issuer of tokens: one issuer exactly, or every tenant of one that has many.
struct AcceptedIssuer: Sendable {
    /// The placeholder for the tenant, as in Microsoft's own metadata.
    static let placeholder = "{tenantid}"

    /// As it is configured.
    let text: String
    /// What comes before and after the tenant; nil if the issuer has none.
    private let around: (before: String, behind: String)?

    init(_ text: String) {
        self.text = text
        around = text.firstRange(of: Self.placeholder).map {
            (String(text[..<$0.lowerBound]), String(text[$0.upperBound...]))
        }
    }

    /// Whether every tenant of it is meant.
    var hasTenants: Bool { around != nil }

    /// Whether it is the issuer of a token.
    /// - Parameters:
    ///   - claims: the token's, of which `tid` is the tenant that the issuer has to name if any tenant is allowed.
    ///   - keyIssuer: for whom the key signs, if its set says so: some keys are only for the users of one tenant.
    func isIssuer(_ issuer: String, of claims: StrictObject, keyIssuer: String?) -> Bool {
        guard let around else { return issuer.isExactly(text) }
        guard let tenant = claims.text("tid"), Self.isTenant(tenant),
            issuer.isExactly(around.before + tenant + around.behind)
        else {
            return false
        }
        return keyIssuer.map { $0.contains(Self.placeholder) || $0.contains("/\(tenant)/") } ?? true
    }

    /// The ids of tenants are of letters, digits and hyphens: nothing that could be more of a URL.
    private static func isTenant(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20) || $0 == UInt8(ascii: "-")
            }
    }
}
