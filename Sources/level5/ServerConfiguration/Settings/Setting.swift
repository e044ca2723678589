import Scripts
import ServerLogging
import Tables
import Webhooks
import ZumoProtocol

/// A key of the configuration, with the function that checks and applies its value.
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

    /// A key with a Boolean value.
    static func boolean(_ key: String, take: @escaping @Sendable (inout Configuration, Bool) -> Void) -> Setting {
        Setting(key) { value, configuration throws(ConfigurationFault) in take(&configuration, try value.boolean()) }
    }

    /// A key with a text value.
    static func text(_ key: String, take: @escaping @Sendable (inout Configuration, String) -> Void) -> Setting {
        Setting(key) { value, configuration throws(ConfigurationFault) in take(&configuration, try value.text()) }
    }

    /// A key with a text, or a list of texts.
    static func texts(_ key: String, take: @escaping @Sendable (inout Configuration, [String]) -> Void) -> Setting {
        Setting(key) { value, configuration throws(ConfigurationFault) in take(&configuration, try value.texts()) }
    }

    /// A key with a whole number.
    static func whole(
        _ key: String, in range: ClosedRange<Int>, take: @escaping @Sendable (inout Configuration, Int) -> Void
    ) -> Setting {
        Setting(key) { value, configuration throws(ConfigurationFault) in
            take(&configuration, try value.whole(in: range))
        }
    }

    /// A key with one of several words.
    static func choice<Choice: RawRepresentable<String> & CaseIterable & Sendable>(
        _ key: String, take: @escaping @Sendable (inout Configuration, Choice) -> Void
    ) -> Setting {
        Setting(key) { value, configuration throws(ConfigurationFault) in
            take(&configuration, try value.choice(of: Choice.self))
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

    /// All keys.
    static let all: [Setting] =
        [
            .text("host") { $0.host = $1 },
            .whole("port", in: 0...65_535) { $0.port = $1 },
            .boolean("reusePort") { $0.reusePort = $1 },
            Setting("database.url", isSecret: true) { value, configuration throws(ConfigurationFault) in
                configuration.database = try DatabaseLocation(value)
            },
            .whole("database.connections", in: 1...100) { $0.databaseConnections = $1 },
            .boolean("database.transactionPooler") { $0.hasTransactionPooler = $1 },
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
            .choice("generation") { $0.generation = $1 },
            .boolean("requireVersion") { $0.requireVersion = $1 },
            .whole("pageSize", in: PageRules.pageSizes) { $0.pageSize = $1 },
            .whole("maxTop", in: PageRules.maxTops) { $0.maxTop = $1 },
            .boolean("autoCreateTables") { $0.autoCreateTables = $1 },
            .choice("textComparison") { $0.textComparison = $1 },
            .whole("repeatWindow", in: 0...86_400) { $0.repeatWindow = $1 },
            .boolean("devices.record") { $0.recordsDevices = $1 },
            .text("scripts.node") { $0.scriptLimits.node = $1 },
            .whole("scripts.timeSeconds", in: 1...300) { $0.scriptLimits.time = .seconds($1) },
            .whole("scripts.memoryMegabytes", in: 16...65_536) { $0.scriptLimits.memoryMegabytes = $1 },
            .whole("scripts.workers", in: 1...64) { $0.scriptLimits.workers = $1 },
            .text("scripts.user") { $0.scriptLimits.user = $1 },
            Setting("scripts.allowUnsupported") { value, configuration throws(ConfigurationFault) in
                let items = try value.commaSeparated()
                configuration.allowedUnsupported = [:]
                for item in items {
                    configuration.allowedUnsupported[try item.choice(of: UnsupportedFeature.self)] = item.origin
                }
            },
            .whole("limits.bodyBytes", in: 1_024...268_435_456) { $0.limits.bodyBytes = $1 },
            .whole("limits.connections", in: 1...1_000_000) { $0.limits.connections = $1 },
            .whole("limits.addressConnections", in: 1...1_000_000) { $0.limits.addressConnections = $1 },
            .whole("limits.keepAliveSeconds", in: 1...86_400) { $0.limits.keepAliveSeconds = $1 },
            .whole("limits.bufferBytes", in: 1_048_576...1_099_511_627_776) { $0.limits.bufferBytes = $1 },
            .whole("limits.answerBytes", in: 1_024...1_073_741_824) { $0.limits.answerBytes = $1 },
            .whole("limits.pageBytes", in: 1_024...1_073_741_824) { $0.limits.pageBytes = $1 },
            .whole("limits.bodyBytesPerSecond", in: 1...1_048_576) { $0.limits.bodyBytesPerSecond = $1 },
            .whole("limits.answerBytesPerSecond", in: 1...1_048_576) { $0.limits.answerBytesPerSecond = $1 },
            .whole("limits.addressRequestsPerMinute", in: 0...1_000_000) { $0.limits.addressRequestsPerMinute = $1 },
            .whole("limits.userRequestsPerMinute", in: 0...1_000_000) { $0.limits.userRequestsPerMinute = $1 },
            .whole("limits.clientColumns", in: 0...Table.maximumColumns) { $0.limits.clients.columns = $1 },
            .whole("limits.clientTables", in: 0...100_000) { $0.limits.clients.tables = $1 },
            .choice("log.level") { $0.log.level = $1 },
            .choice("log.format") { $0.log.format = $1 },
            .choice("log.users") { $0.log.users = $1 },
            .whole("log.slowMilliseconds", in: 0...3_600_000) { $0.log.slowMilliseconds = $1 },
            .boolean("page.enabled") { $0.isPageEnabled = $1 },
            .boolean("test.allowRemote") { $0.isRemoteTestAllowed = $1 },
            Setting("webhook.secret", isSecret: true) { value, configuration throws(ConfigurationFault) in
                guard case .text(let text, _) = value.form, let secret = WebhookSecret(text) else {
                    throw value.fault("has to be a text")
                }
                configuration.webhookSecret = secret
            },
        ] + crossOrigin + tls + auth + login
}

/// The permitted page sizes, in the configuration and in a table's definition.
enum PageRules {
    static let pageSizes = 1...1_000_000
    static let maxTops = 0...1_000_000
}
