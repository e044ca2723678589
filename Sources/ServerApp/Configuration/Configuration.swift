public import Tables

/// Everything that an operator can set, checked. `docs/configuration.md` describes each key.
public struct Configuration: Sendable, Equatable {
    public var host = "127.0.0.1"
    /// 0 lets the system choose a free port.
    public var port = 8080
    public var database = DatabaseLocation.sqlite(path: "data/zumod.sqlite3")
    /// The base of links, without a slash at its end; nil where the request tells it.
    public var publicURL: String?
    public var requireVersion = false
    /// Rows of a page where neither the client nor the table says.
    public var pageSize = 50
    /// The most that `$top` may ask for where the table doesn't say; 0 means no limit.
    public var maxTop = 1000
    public var autoCreateTables = false
    public var textComparison = TextComparison.ignoringCase
    public var limits = Limits()
    public var log = Log()
    public var tables: [TableDefinition] = []
    /// What the operator should know although nothing is wrong.
    public var notes: [ConfigurationFault] = []

    public init() {}

    /// The limits of the HTTP server that an operator can move.
    public struct Limits: Sendable, Equatable {
        public var bodyBytes = 1 << 20
        public var connections = 10_000

        public init() {}
    }

    /// What is logged, and how.
    public struct Log: Sendable, Equatable {
        public enum Level: String, Sendable, CaseIterable {
            case trace, debug, info, notice, warning, error, critical
        }

        public enum Format: String, Sendable, CaseIterable {
            case text, json
        }

        public var level = Level.info
        public var format = Format.text

        public init() {}
    }
}

extension Configuration {
    /// The address under which this machine itself reaches the server.
    public var localURL: String {
        let reachable = host == "0.0.0.0" ? "127.0.0.1" : host == "::" ? "::1" : host
        return "http://\(reachable.contains(":") ? "[\(reachable)]" : reachable):\(port)"
    }
}
