import Platform

/// The sources of a configuration, each overriding those before it: built-in defaults, file, environment, flags.
public struct ConfigurationSources: Sendable {
    /// The directory with `zumod.yaml`, `tables/` and `apis/`; nil if there is none.
    public var directory: String?
    /// The environment, of which only names beginning with `ZUMOD_` are read.
    public var environment: [String: String]
    /// The flags that were given.
    public var flags: [Flag]
    /// Whether `--test` was given, for a server that clients are tested with.
    public var isTest = false

    /// A project of scripts that is served as a whole; nil for the scripts next to the configuration's own files.
    public var app: String?
    /// Whether scripts are examined for a report to operators who move a project.
    public var reportsScripts = false
    /// Whether scripts are read twice, to find out whether they define the same each time.
    public var readsScriptsTwice = false

    /// A command-line flag that sets a key.
    public struct Flag: Sendable {
        /// The flag as typed, with its dashes.
        public let name: String
        /// The key that it sets.
        public let key: String
        /// The value as typed.
        public let value: String

        /// Creates a flag.
        public init(_ name: String, key: String, value: String) {
            self.name = name
            self.key = key
            self.value = value
        }
    }

    /// Creates the sources.
    public init(directory: String?, environment: [String: String] = [:], flags: [Flag] = []) {
        self.directory = directory
        self.environment = environment
        self.flags = flags
    }
}

extension ConfigurationSources {
    /// The configuration directory if none is named: `config` in the working directory, otherwise `/etc/zumod`; nil if
    /// neither exists.
    public static var usualDirectory: String? {
        // An unreadable directory counts as well: serving something else instead would hide the problem.
        ["config", "/etc/zumod"].first { FileState.isFolder($0) }
    }
}
