import Platform

/// Where a configuration comes from; later ones win: built-in defaults, file, environment, flags.
public struct ConfigurationSources: Sendable {
    /// The directory with `zumod.yaml`, `tables/` and `apis/`; nil if there is none.
    public var directory: String?
    /// Only the names that begin with `ZUMOD_` are looked at.
    public var environment: [String: String]
    /// The flags that were given, and no others.
    public var flags: [Flag]
    /// Whether `--test` was given: the server is for tests of clients.
    public var isTest = false

    /// A project of scripts that is served as a whole; nil for those beside the configuration's own files.
    public var app: String?
    /// Whether scripts are examined for what somebody who moves a project wants to know.
    public var reportsScripts = false

    /// A command-line flag that sets a key.
    public struct Flag: Sendable {
        /// As it was typed, with its dashes.
        public let name: String
        /// The key that it sets.
        public let key: String
        /// The value as it was typed.
        public let value: String

        /// Makes a flag.
        public init(_ name: String, key: String, value: String) {
            self.name = name
            self.key = key
            self.value = value
        }
    }

    /// Names the sources.
    public init(directory: String?, environment: [String: String] = [:], flags: [Flag] = []) {
        self.directory = directory
        self.environment = environment
        self.flags = flags
    }
}

extension ConfigurationSources {
    /// The configuration directory if nobody named one: `config` in the working directory, otherwise `/etc/zumod`; nil
    /// if neither exists.
    public static var usualDirectory: String? {
        // One that is closed to this process is there all the same: to serve something else in its place would hide it.
        ["config", "/etc/zumod"].first { FileState.isFolder($0) }
    }
}
