package import ZumoProtocol

extension Configuration {
    /// Which web pages of other origins may call the server (CORS).
    package struct CrossOrigin: Sendable {
        /// Whether every page may, regardless of the patterns.
        var allowsAll = false
        var patterns = [OriginPattern("localhost")].compactMap(\.self)
        /// In seconds.
        var maxAge = 300

        package var policy: CrossOriginPolicy {
            CrossOriginPolicy(patterns, andAll: allowsAll, maxAge: maxAge)
        }
    }
}

extension Setting {
    static let crossOrigin: [Setting] = [
        Setting("cors.origins") { value, configuration throws(ConfigurationFault) in
            configuration.cors.allowsAll = false
            configuration.cors.patterns = []
            for item in try value.commaSeparated() {
                // Otherwise a line that was left empty, YAML's null, would admit the origin null.
                guard !item.isEmpty else {
                    throw item.fault("is empty; the origin null has to stand in quotes: \"null\"")
                }
                let text = try item.text()
                if text == "*" {
                    configuration.cors.allowsAll = true
                } else if let pattern = OriginPattern(text) {
                    configuration.cors.patterns.append(pattern)
                } else {
                    throw item.mismatch(
                        "a host such as localhost or *.example.com (one * at most), an origin such as "
                            + "https://app.example.com, \"null\", or * alone")
                }
            }
        },
        .whole("cors.maxAge", in: 0...86_400) { $0.cors.maxAge = $1 },
    ]
}
