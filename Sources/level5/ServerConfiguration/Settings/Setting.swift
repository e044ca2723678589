import Scripts
import ServerLogging
import Tables
import Webhooks
import ZumoProtocol

/// One key of the configuration: its name, and how its value is checked and taken over.
struct Setting: Sendable {
    /// The key with dots, as in the file.
    let key: String
    /// Whether the environment may name a file that holds the value.
    let isSecret: Bool
    let apply: @Sendable (ConfigurationValue, inout Configuration) throws(ConfigurationFault) -> Void

    init(
        _ key: String, isSecret: Bool = false,
        apply: @escaping @Sendable (ConfigurationValue, inout Configuration) throws(ConfigurationFault) -> Void
    ) {
        self.key = key
        self.isSecret = isSecret
        self.apply = apply
    }

    /// A key that is true or false.
    static func boolean(_ key: String, _ path: any WritableKeyPath<Configuration, Bool> & Sendable) -> Setting {
        Setting(key) { value, configuration throws(ConfigurationFault) in
            configuration[keyPath: path] = try value.boolean()
        }
    }

    /// A key that is a text.
    static func text(_ key: String, _ path: any WritableKeyPath<Configuration, String> & Sendable) -> Setting {
        Setting(key) { value, configuration throws(ConfigurationFault) in
            configuration[keyPath: path] = try value.text()
        }
    }

    /// A key that is a whole number.
    static func whole(
        _ key: String, _ path: any WritableKeyPath<Configuration, Int> & Sendable, in range: ClosedRange<Int>
    ) -> Setting {
        Setting(key) { value, configuration throws(ConfigurationFault) in
            configuration[keyPath: path] = try value.whole(in: range)
        }
    }

    /// A key that is one of several words.
    static func choice<Choice: RawRepresentable<String> & CaseIterable & Sendable>(
        _ key: String, _ path: any WritableKeyPath<Configuration, Choice> & Sendable
    ) -> Setting {
        Setting(key) { value, configuration throws(ConfigurationFault) in
            configuration[keyPath: path] = try value.choice(of: Choice.self)
        }
    }

    /// The name in the environment: `auth.signingKey` is `ZUMOD_AUTH_SIGNING_KEY`.
    var variable: String {
        var name = "ZUMOD_"
        for character in key {
            if character == "." {
                name.append("_")
            } else {
                if character.isUppercase { name.append("_") }
                name.append(character.uppercased())
            }
        }
        return name
    }

    static func named(_ key: String) -> Setting? {
        all.first { $0.key == key }
    }

    /// Every key there is.
    static let all: [Setting] =
        [
            .text("host", \.host),
            .whole("port", \.port, in: 0...65_535),
            .boolean("reusePort", \.reusePort),
            Setting("database.url", isSecret: true) { value, configuration throws(ConfigurationFault) in
                configuration.database = try DatabaseLocation(value)
            },
            .whole("database.connections", \.databaseConnections, in: 1...100),
            .boolean("database.transactionPooler", \.hasTransactionPooler),
            Setting("publicUrl") { value, configuration throws(ConfigurationFault) in
                configuration.publicURL = try PublicURL.read(value)
            },
            Setting("trustedProxies") { value, configuration throws(ConfigurationFault) in
                var texts: [String] = []
                for item in try value.commaSeparated() {
                    guard TrustedProxies([try item.text()]) != nil else {
                        throw item.mismatch("an address or a network such as 10.0.0.0/8")
                    }
                    texts.append(try item.text())
                }
                configuration.trustedProxies = TrustedProxies(texts) ?? .loopback
                configuration.note(
                    configuration.trustedProxies.containEverybody
                        ? """
                        trusts everybody, or nearly, by a network wider than /8 (IPv6: /7): whoever sends a request \
                        then says what its address is
                        """ : nil, of: value)
            },
            .choice("generation", \.generation),
            .boolean("requireVersion", \.requireVersion),
            .whole("pageSize", \.pageSize, in: PageRules.pageSizes),
            Setting("maxTop") { value, configuration throws(ConfigurationFault) in
                configuration.maxTop = try value.whole(in: PageRules.maxTops)
            },
            .boolean("autoCreateTables", \.autoCreateTables),
            .choice("textComparison", \.textComparison),
            .whole("repeatWindow", \.repeatWindow, in: 0...86_400),
            .boolean("devices.record", \.recordsDevices),
            .text("scripts.node", \.scriptLimits.node),
            Setting("scripts.timeSeconds") { value, configuration throws(ConfigurationFault) in
                configuration.scriptLimits.time = .seconds(try value.whole(in: 1...300))
            },
            .whole("scripts.memoryMegabytes", \.scriptLimits.memoryMegabytes, in: 16...65_536),
            .whole("scripts.workers", \.scriptLimits.workers, in: 1...64),
            Setting("scripts.user") { value, configuration throws(ConfigurationFault) in
                configuration.scriptLimits.user = try value.text()
            },
            Setting("scripts.allowUnsupported") { value, configuration throws(ConfigurationFault) in
                let items = try value.commaSeparated()
                configuration.allowedUnsupported = [:]
                for item in items {
                    configuration.allowedUnsupported[try item.choice(of: UnsupportedFeature.self)] = item.origin
                }
            },
            .whole("limits.bodyBytes", \.limits.bodyBytes, in: 1_024...268_435_456),
            .whole("limits.connections", \.limits.connections, in: 1...1_000_000),
            .whole("limits.addressConnections", \.limits.addressConnections, in: 1...1_000_000),
            .whole("limits.keepAliveSeconds", \.limits.keepAliveSeconds, in: 1...86_400),
            Setting("limits.bufferBytes") { value, configuration throws(ConfigurationFault) in
                configuration.limits.bufferBytes = try value.whole(in: 1_048_576...1_099_511_627_776)
            },
            .whole("limits.answerBytes", \.limits.answerBytes, in: 1_024...1_073_741_824),
            .whole("limits.pageBytes", \.limits.pageBytes, in: 1_024...1_073_741_824),
            .whole("limits.bodyBytesPerSecond", \.limits.bodyBytesPerSecond, in: 1...1_048_576),
            .whole("limits.answerBytesPerSecond", \.limits.answerBytesPerSecond, in: 1...1_048_576),
            .whole("limits.addressRequestsPerMinute", \.limits.addressRequestsPerMinute, in: 0...1_000_000),
            .whole("limits.userRequestsPerMinute", \.limits.userRequestsPerMinute, in: 0...1_000_000),
            .whole("limits.clientColumns", \.limits.clients.columns, in: 0...Table.maximumColumns),
            .whole("limits.clientTables", \.limits.clients.tables, in: 0...100_000),
            .choice("log.level", \.log.level),
            .choice("log.format", \.log.format),
            .choice("log.users", \.log.users),
            .whole("log.slowMilliseconds", \.log.slowMilliseconds, in: 0...3_600_000),
            Setting("page.enabled") { value, configuration throws(ConfigurationFault) in
                configuration.isPageEnabled = try value.boolean()
            },
            .boolean("test.allowRemote", \.isRemoteTestAllowed),
            Setting("webhook.secret", isSecret: true) { value, configuration throws(ConfigurationFault) in
                guard case .text(let text, _) = value.form, let secret = WebhookSecret(text) else {
                    throw value.fault("has to be a text")
                }
                configuration.webhookSecret = secret
            },
        ] + crossOrigin + tls + auth + login
}

/// What a page may be, in the configuration and in a table's definition.
enum PageRules {
    static let pageSizes = 1...1_000_000
    static let maxTops = 0...1_000_000
}
