extension Setting {
    static let login: [Setting] = [
        Setting("auth.providers") { value, configuration throws(ConfigurationFault) in
            var providers: [ProviderDeclaration] = []
            for member in try value.members() {
                let provider = try ProviderDeclaration(member)
                guard !providers.contains(where: { $0.name == provider.name }) else {
                    throw member.value.fault("is there twice")
                }
                providers.append(provider)
            }
            configuration.auth.providers = providers
            configuration.look(into: providers.compactMap(\.keySource), of: value)
            configuration.auth.providersOrigin = value
        },
        Setting("auth.redirects") { value, configuration throws(ConfigurationFault) in
            configuration.auth.redirects = []
            for item in try value.commaSeparated() {
                let text = try item.text()
                let scheme = text.prefix { $0 != ":" }
                guard text.contains(":/"), !scheme.contains("*"), scheme.lowercased() != "javascript",
                    !text.dropLast().contains("*"), text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
                else { throw item.mismatch("a URL such as myapp://easyauth.callback, with * at its end or without") }
                // Otherwise `https://app.example*` would also allow `https://app.example.evil`.
                if ["http", "https"].contains(scheme.lowercased()), text.hasSuffix("*"),
                    !text.dropFirst(scheme.count + 3).drop(while: { $0 == "/" }).contains("/")
                {
                    throw item.fault("has to name the whole host: a * stands for what follows a / behind it")
                }
                // Such an address is never allowed, as people take the name for the host.
                let place = text.dropFirst(scheme.count + 1).drop { $0 == "/" }.prefix { !"/?#".contains($0) }
                guard !place.contains("@") else { throw item.fault("has a user's name before the host") }
                configuration.auth.redirects.append(text)
            }
        },
        Setting("auth.tokenLifetime") { value, configuration throws(ConfigurationFault) in
            configuration.auth.tokenLifetime = try lifetime(value)
        },
        Setting("auth.sessionLifetime") { value, configuration throws(ConfigurationFault) in
            configuration.auth.sessionLifetime = try lifetime(value)
        },
        Setting("auth.logout") { value, configuration throws(ConfigurationFault) in
            switch try value.text() {
            case "session": configuration.auth.logoutEndsAll = false
            case "user": configuration.auth.logoutEndsAll = true
            default: throw value.mismatch("session or user")
            }
        },
    ]

    private static func lifetime(_ value: ConfigurationValue) throws(ConfigurationFault) -> Duration {
        guard let lifetime = DurationArgument.parse(try value.text()), lifetime > .zero else {
            throw value.mismatch("a number with s, m, h or d behind it, such as 30d")
        }
        return lifetime
    }
}
