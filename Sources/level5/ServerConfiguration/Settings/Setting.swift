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
            Setting("host") { value, configuration throws(ConfigurationFault) in configuration.host = try value.text()
            },
            Setting("port") { value, configuration throws(ConfigurationFault) in
                configuration.port = try value.whole(in: 0...65_535)
            },
            Setting("reusePort") { value, configuration throws(ConfigurationFault) in
                configuration.reusePort = try value.boolean()
            },
            Setting("database.url", isSecret: true) { value, configuration throws(ConfigurationFault) in
                configuration.database = try DatabaseLocation(value)
            },
            Setting("database.connections") { value, configuration throws(ConfigurationFault) in
                configuration.databaseConnections = try value.whole(in: 1...100)
            },
            Setting("database.transactionPooler") { value, configuration throws(ConfigurationFault) in
                configuration.hasTransactionPooler = try value.boolean()
            },
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
            Setting("generation") { value, configuration throws(ConfigurationFault) in
                configuration.generation = try value.choice(of: Generation.self)
            },
            Setting("requireVersion") { value, configuration throws(ConfigurationFault) in
                configuration.requireVersion = try value.boolean()
            },
            Setting("pageSize") { value, configuration throws(ConfigurationFault) in
                configuration.pageSize = try value.whole(in: PageRules.pageSizes)
            },
            Setting("maxTop") { value, configuration throws(ConfigurationFault) in
                configuration.maxTop = try value.whole(in: PageRules.maxTops)
            },
            Setting("autoCreateTables") { value, configuration throws(ConfigurationFault) in
                configuration.autoCreateTables = try value.boolean()
            },
            Setting("textComparison") { value, configuration throws(ConfigurationFault) in
                configuration.textComparison = try value.choice(of: TextComparison.self)
            },
            Setting("repeatWindow") { value, configuration throws(ConfigurationFault) in
                configuration.repeatWindow = try value.whole(in: 0...86_400)
            },
            Setting("devices.record") { value, configuration throws(ConfigurationFault) in
                configuration.recordsDevices = try value.boolean()
            },
            Setting("scripts.node") { value, configuration throws(ConfigurationFault) in
                configuration.scriptLimits.node = try value.text()
            },
            Setting("scripts.timeSeconds") { value, configuration throws(ConfigurationFault) in
                configuration.scriptLimits.time = .seconds(try value.whole(in: 1...300))
            },
            Setting("scripts.memoryMegabytes") { value, configuration throws(ConfigurationFault) in
                configuration.scriptLimits.memoryMegabytes = try value.whole(in: 16...65_536)
            },
            Setting("scripts.workers") { value, configuration throws(ConfigurationFault) in
                configuration.scriptLimits.workers = try value.whole(in: 1...64)
            },
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
            Setting("limits.bodyBytes") { value, configuration throws(ConfigurationFault) in
                configuration.limits.bodyBytes = try value.whole(in: 1_024...268_435_456)
            },
            Setting("limits.connections") { value, configuration throws(ConfigurationFault) in
                configuration.limits.connections = try value.whole(in: 1...1_000_000)
            },
            Setting("limits.addressConnections") { value, configuration throws(ConfigurationFault) in
                configuration.limits.addressConnections = try value.whole(in: 1...1_000_000)
            },
            Setting("limits.keepAliveSeconds") { value, configuration throws(ConfigurationFault) in
                configuration.limits.keepAliveSeconds = try value.whole(in: 1...86_400)
            },
            Setting("limits.bufferBytes") { value, configuration throws(ConfigurationFault) in
                configuration.limits.bufferBytes = try value.whole(in: 1_048_576...1_099_511_627_776)
            },
            Setting("limits.answerBytes") { value, configuration throws(ConfigurationFault) in
                configuration.limits.answerBytes = try value.whole(in: 1_024...1_073_741_824)
            },
            Setting("limits.pageBytes") { value, configuration throws(ConfigurationFault) in
                configuration.limits.pageBytes = try value.whole(in: 1_024...1_073_741_824)
            },
            Setting("limits.bodyBytesPerSecond") { value, configuration throws(ConfigurationFault) in
                configuration.limits.bodyBytesPerSecond = try value.whole(in: 1...1_048_576)
            },
            Setting("limits.answerBytesPerSecond") { value, configuration throws(ConfigurationFault) in
                configuration.limits.answerBytesPerSecond = try value.whole(in: 1...1_048_576)
            },
            Setting("limits.addressRequestsPerMinute") { value, configuration throws(ConfigurationFault) in
                configuration.limits.addressRequestsPerMinute = try value.whole(in: 0...1_000_000)
            },
            Setting("limits.userRequestsPerMinute") { value, configuration throws(ConfigurationFault) in
                configuration.limits.userRequestsPerMinute = try value.whole(in: 0...1_000_000)
            },
            Setting("limits.clientColumns") { value, configuration throws(ConfigurationFault) in
                configuration.limits.clients.columns = try value.whole(in: 0...Table.maximumColumns)
            },
            Setting("limits.clientTables") { value, configuration throws(ConfigurationFault) in
                configuration.limits.clients.tables = try value.whole(in: 0...100_000)
            },
            Setting("log.level") { value, configuration throws(ConfigurationFault) in
                configuration.log.level = try value.choice(of: LogLevel.self)
            },
            Setting("log.format") { value, configuration throws(ConfigurationFault) in
                configuration.log.format = try value.choice(of: LogSettings.Format.self)
            },
            Setting("log.users") { value, configuration throws(ConfigurationFault) in
                configuration.log.users = try value.choice(of: LogSettings.Users.self)
            },
            Setting("log.slowMilliseconds") { value, configuration throws(ConfigurationFault) in
                configuration.log.slowMilliseconds = try value.whole(in: 0...3_600_000)
            },
            Setting("page.enabled") { value, configuration throws(ConfigurationFault) in
                configuration.isPageEnabled = try value.boolean()
            },
            Setting("test.allowRemote") { value, configuration throws(ConfigurationFault) in
                configuration.isRemoteTestAllowed = try value.boolean()
            },
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
