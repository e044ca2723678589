import Arguments
import Foundation
import ServerApp
import ServerConfiguration

/// The flags of all commands that read the configuration.
struct CommonOptions: Sendable {
    var config: String?
    var database: String?
    var host: String?
    var port: String?
    var logLevel: String?
    var logFormat: String?

    static let parameters: [Parameter<CommonOptions>] = [
        .option(
            "config", "dir",
            "The directory with zumod.yaml and tables/ (else ZUMOD_CONFIG, ./config or /etc/zumod).", of: .folder,
            to: \.config),
        .option(
            "database", "url", "sqlite:PATH, sqlite::memory: or postgresql://… (key database.url).", to: \.database),
        .option("host", "address", "The address to listen on; 0.0.0.0 for all (key host).", to: \.host),
        .option("port", "number", "The port to listen on; 0 for any free one (key port).", to: \.port),
        .option(
            "log-level", "level", "trace, debug, info, notice, warning, error or critical (key log.level).",
            to: \.logLevel),
        .option("log-format", "format", "text or json (key log.format).", to: \.logFormat),
    ]

    /// The sources of the configuration, from these flags and the process's environment.
    var sources: ConfigurationSources {
        let environment = ProcessInfo.processInfo.environment
        let named = environment["ZUMOD_CONFIG"] ?? ""
        var sources = ConfigurationSources(
            directory: config ?? (named.isEmpty ? ConfigurationSources.usualDirectory : named), environment: environment
        )
        let flags = [
            ("--database", "database.url", database), ("--host", "host", host), ("--port", "port", port),
            ("--log-level", "log.level", logLevel), ("--log-format", "log.format", logFormat),
        ]
        for (name, key, value) in flags {
            guard let value else { continue }
            sources.flags.append(ConfigurationSources.Flag(name, key: key, value: value))
        }
        return sources
    }
}

extension CommonOptions {
    /// Reads the configuration with its tables.
    func configuration() throws(ConfigurationFaults) -> Configuration {
        try Configuration.read(from: sources, without: .needsDatabase)
    }

    /// Reads only the settings.
    /// - Parameter without: what to do if there is no configuration directory.
    func settings(without: Configuration.Absence = .needsDatabase) throws(ConfigurationFaults) -> Configuration {
        try Configuration.read(from: sources, withTables: false, without: without)
    }
}

/// The flag of the commands that read scripts.
struct ScriptOptions: Sendable {
    var app: String?

    static let parameters: [Parameter<ScriptOptions>] = [
        .option(
            "app", "dir",
            """
            Serves a project of the Azure Node SDK (with its app.js), or the git folder of a Mobile Service, in the place of \
            the scripts of the configuration.
            """, of: .folder, to: \.app)
    ]
}
