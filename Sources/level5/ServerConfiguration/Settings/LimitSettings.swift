package import Tables

extension Configuration {
    /// The limits that an operator can move.
    public struct Limits: Sendable, Equatable {
        /// The largest request body.
        public var bodyBytes = 1 << 20
        /// The most connections at a time.
        public var connections = 10_000
        /// The most connections of one address at a time.
        public var addressConnections = 1_000
        /// How long a connection may rest between two requests.
        public var keepAliveSeconds = 75
        /// The most bytes of bodies and answers held at a time; nil for what fits the machine.
        public var bufferBytes: Int?
        /// The maximum size of a page of a list, except for its last row.
        public var answerBytes = 64 << 20
        /// The same for a page after which its client continues, however few rows it has.
        public var pageBytes = 4 << 20
        /// The least that a client sends of a body in a second, measured over a minute.
        public var bodyBytesPerSecond = 1 << 10
        /// The same of an answer that it takes.
        public var answerBytesPerSecond = 1 << 10
        /// How often one address may ask, at once and then in a minute; 0 for as often as it likes.
        public var addressRequestsPerMinute = 0
        /// The same for one user.
        public var userRequestsPerMinute = 0
        /// The columns and tables that clients may add.
        package var clients = ClientLimits()

        /// The built-in defaults.
        public init() {}
    }
}
