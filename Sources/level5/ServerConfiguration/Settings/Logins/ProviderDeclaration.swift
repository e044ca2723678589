import Access

/// A login provider in the configuration.
package struct ProviderDeclaration: Sendable {
    package let name: String
    package let form: Form

    package enum Form: Sendable {
        case local
        /// - Parameter clientID: the first audience, which the login page requests.
        case external(KeySource, authorizeURL: String?, clientID: String)
    }

    /// Reads `NAME: { keySet, issuer, audience, authorizeUrl, userClaim }`, or `local:` without a value.
    init(_ member: ConfigurationValue.Member) throws(ConfigurationFault) {
        let value = member.value
        name = member.name.lowercased()
        guard !name.isEmpty, name.utf8.allSatisfy({ (97...122).contains($0) || (48...57).contains($0) }), name != "done"
        else { throw value.fault("a provider's name is of letters and digits, as it stands in /.auth/login/NAME") }
        guard name != "windowsazureactivedirectory" else {
            throw value.fault("is called aad here: what a client library names so is looked for there")
        }
        if name == "local" {
            if !value.isEmpty, let first = try value.members().first {
                throw first.value.fault("the provider local has no settings: its users are in the database")
            }
            form = .local
            return
        }
        let values = try value.values(of: ["keySet", "issuer", "audience", "authorizeUrl", "userClaim"])
        guard let keySet = values["keySet"], let issuer = values["issuer"], let audience = values["audience"] else {
            throw value.fault("needs keySet (a file), issuer and audience: who signs its tokens, and for which app")
        }
        let audiences = try audience.texts()
        let source = KeySource(
            path: try keySet.text(), written: keySet, issuers: try issuer.texts(), audiences: audiences,
            userClaim: try values["userClaim"]?.text() ?? "sub")
        let url = try values["authorizeUrl"].map { value throws(ConfigurationFault) in try PublicURL.read(value) }
        form = .external(source, authorizeURL: url, clientID: audiences[0])
    }

    /// The source of its keys; nil for a provider without keys.
    package var keySource: KeySource? {
        if case .external(let source, _, _) = form { source } else { nil }
    }
}
