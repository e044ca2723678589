import Access

/// Common mistakes with well-known issuers, which would prevent all logins without any visible reason.
extension KeySource {
    /// Likely mistakes, each as a sentence for operators.
    var advice: [ConfigurationFault] {
        (issuers ?? []).compactMap { Self.advice(on: $0) }.map { written.fault($0) }
            + personAdvice.map { written.fault($0) }
    }

    private static let microsoft = "https://login.microsoftonline.com/"

    private static func advice(on issuer: String) -> String? {
        let low = issuer.lowercased()
        for word in ["common", "organizations"] where low.hasPrefix("\(microsoft)\(word)/") {
            return "no token has the issuer \(issuer): for the users of any tenant write \(microsoft){tenantid}/v2.0"
        }
        if low.hasPrefix("\(microsoft)consumers/") {
            return "no token has the issuer \(issuer): that of personal accounts is "
                + "\(microsoft)9188040d-6c67-4c5b-b112-36a304b66dad/v2.0"
        }
        if issuer.contains("{"), !issuer.contains("{tenantid}") {
            return "the issuer \(issuer) is taken letter by letter: what stands for any tenant is {tenantid}"
        }
        if low.hasSuffix(".auth0.com") { return "no token has the issuer \(issuer): Auth0's ends with a slash" }
        return nil
    }

    /// Returns the tenant of a Microsoft issuer, version 1 or 2.
    private static func tenant(_ issuer: String) -> String? {
        for base in [microsoft, "https://sts.windows.net/"] where issuer.hasPrefix(base) {
            return issuer.dropFirst(base.count).prefix { $0 != "/" }.lowercased()
        }
        return nil
    }

    private var personAdvice: [String] {
        let issuers = issuers ?? []
        if issuers.contains(where: { $0.contains("{tenantid}") }), userClaim != "sub", userClaim != "oid" {
            let limit =
                userClaim == "email" ? ", so that none is taken but what the provider vouches for (xms_edov)" : ""
            return [
                "the administrator of any tenant can give anybody any \(userClaim), and so be anybody here\(limit); "
                    + "userClaim: oid is what nobody can choose"
            ]
        }
        let tenants = Set(issuers.compactMap(Self.tenant))
        if tenants.count > 1, userClaim != "sub", userClaim != "oid" {
            return [
                "the administrator of each of its tenants can give anybody any \(userClaim), and so be a user of another "
                    + "tenant; userClaim: oid is what nobody can choose"
            ]
        }
        // The two versions of tokens name an app in different ways: `api://ID` and `ID`.
        let apps = Set((audiences ?? []).map { $0.hasPrefix("api://") ? String($0.dropFirst(6)) : $0 })
        if !tenants.isEmpty, userClaim == "sub", apps.count > 1 {
            return ["Microsoft gives a person another sub for each app; userClaim: oid is one for all of the audiences"]
        }
        return []
    }

    /// Describes what its tokens have to be like.
    /// - Parameter reading: its files as they were read.
    func explanation(_ reading: KeyReading) -> ConfigurationFault {
        let keys = reading.sets.reduce(0) { $0 + $1.count }
        let issuer = issuers?.joined(separator: " or ") ?? "auth.issuer"
        let audience = audiences?.joined(separator: " or ") ?? "auth.audience"
        return written.fault(
            "\(keys) \(keys == 1 ? "key" : "keys"); takes tokens with the iss \(issuer) and the aud \(audience); "
                + "a user is the \(userClaim)")
    }
}

extension Configuration {
    /// Reads the files of key sources in the same way as the server will, and reports what was found.
    mutating func look(into sources: [KeySource], of value: ConfigurationValue) {
        // The findings about a source that this one overrides no longer apply.
        let isOfValue: (ConfigurationFault) -> Bool = { $0.key?.hasPrefix(value.key) == true }
        warnings.removeAll(where: isOfValue)
        explanations.removeAll(where: isOfValue)
        for source in sources {
            let reading = source.read()
            warnings += reading.remarks + source.advice
            explanations.append(source.explanation(reading))
        }
    }
}
