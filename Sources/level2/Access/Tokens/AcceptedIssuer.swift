internal import ByteText

/// An accepted issuer of tokens: exactly one, or every tenant of a multi-tenant one.
struct AcceptedIssuer: Sendable {
    /// The placeholder for the tenant, as in Microsoft's own metadata.
    static let placeholder = "{tenantid}"

    /// The issuer as configured.
    let text: String
    /// The parts before and after the tenant; nil if the issuer has none.
    private let around: (before: String, behind: String)?

    init(_ text: String) {
        self.text = text
        around = text.firstRange(of: Self.placeholder).map {
            (String(text[..<$0.lowerBound]), String(text[$0.upperBound...]))
        }
    }

    /// Whether every tenant is accepted.
    var hasTenants: Bool { around != nil }

    /// Returns whether an issuer is accepted.
    /// - Parameters:
    ///   - claims: the token's claims; if any tenant is accepted, the issuer must contain the tenant in `tid`.
    ///   - keyIssuer: the issuer that the key signs for, if its set says so: some keys are only for one tenant's users.
    func isIssuer(_ issuer: String, of claims: StrictObject, keyIssuer: String?) -> Bool {
        guard let around else { return issuer.isExactly(text) }
        guard let tenant = claims.text("tid"), Self.isTenant(tenant),
            issuer.isExactly(around.before + tenant + around.behind)
        else {
            return false
        }
        return keyIssuer.map { $0.contains(Self.placeholder) || $0.contains("/\(tenant)/") } ?? true
    }

    /// Tenant ids consist of letters, digits and hyphens: they can't extend the URL.
    private static func isTenant(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20) || $0 == UInt8(ascii: "-")
            }
    }
}
