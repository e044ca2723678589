package import Tables

extension Configuration {
    /// The limits that operators can change.
    public struct Limits: Sendable, Equatable {
        /// The maximum size of a request body, in bytes.
        public var bodyBytes = 1 << 20
        /// The maximum number of connections.
        public var connections = 10_000
        /// The maximum number of connections per address.
        public var addressConnections = 1_000
        /// How long a connection may be idle between two requests.
        public var keepAliveSeconds = 75
        /// The maximum number of bytes of all bodies and answers together; nil for a value that suits the machine.
        public var bufferBytes: Int?
        /// The maximum size of a list's page in bytes, except for its last row.
        public var answerBytes = 64 << 20
        /// The same for a page after which the client continues, however few rows it has.
        public var pageBytes = 4 << 20
        /// The minimum number of bytes per second at which a client sends a body, measured over a minute.
        public var bodyBytesPerSecond = 1 << 10
        /// The same for taking an answer.
        public var answerBytesPerSecond = 1 << 10
        /// The maximum number of requests per minute from one address, also in a single burst; 0 for no limit.
        public var addressRequestsPerMinute = 0
        /// The same for one user.
        public var userRequestsPerMinute = 0
        /// The maximum number of columns and tables that clients may add.
        package var clients = ClientLimits()

        /// Creates the built-in defaults.
        public init() {}
    }
}
