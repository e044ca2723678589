import ByteText
public import Scalars

/// The activity of an installation of an app in one table, up to the last sighting.
public struct DeviceSighting: Sendable, Equatable {
    /// The installation and the table of a sighting.
    public struct Key: Sendable, Hashable {
        /// The installation's id, from `X-ZUMO-INSTALLATION-ID`.
        public let installation: String
        /// The table's name.
        public let table: Identifier

        /// - Returns: nil if the installation's text is empty, or too long to be an id. A prefix might be that of
        ///   another.
        public init?(installation: String, table: Identifier) {
            guard (1...DeviceSighting.longestText).contains(installation.utf8.count) else { return nil }
            self.installation = installation
            self.table = table
        }

        /// Compares installations byte by byte, and tables.
        public static func == (left: Key, right: Key) -> Bool {
            left.installation.isExactly(right.installation) && left.table == right.table
        }

        /// Hashes what is compared.
        public func hash(into hasher: inout Hasher) {
            installation.hashExactly(into: &hasher)
            hasher.combine(table)
        }
    }

    /// A pull of changed rows. Pages that follow one another within `pullGap` are one pull.
    public struct Pull: Sendable, Equatable {
        /// When its last page was asked for.
        public var at: Instant
        /// The greatest `updatedAt` that the installation has reached, by this or an earlier pull; nil if unknown.
        public var stamp: Instant?
        /// The number of rows returned.
        public var rows: Int64

        /// Creates a pull.
        public init(at: Instant, stamp: Instant?, rows: Int64) {
            self.at = at
            self.stamp = stamp
            self.rows = rows
        }
    }

    /// The installation and the table.
    public let key: Key
    /// When the installation was last answered.
    public var seenAt: Instant
    /// Its last pull; nil if it has made none.
    public var pull: Pull?
    /// When it last sent a write; nil if it has sent none.
    public var pushedAt: Instant?
    /// The number of its writes that conflicted with a newer row.
    public var conflicts: Int64
    /// The client library that it reports; nil if it reports none.
    public var sdk: String?
    /// The generation that it uses.
    public var generation: String
    /// The user whose token it last sent; nil if it sent none.
    public var user: String?

    /// The maximum size of each text in bytes. Texts other than ids are truncated to it.
    public static let longestText = 200
    /// The maximum time between two pages of the same pull.
    public static let pullGap = Duration.seconds(10)

    /// Creates a sighting.
    public init(
        _ key: Key, seenAt: Instant, pull: Pull? = nil, pushedAt: Instant? = nil, conflicts: Int64 = 0,
        sdk: String? = nil, generation: String, user: String? = nil
    ) {
        self.key = key
        self.seenAt = seenAt
        self.pull = pull
        self.pushedAt = pushedAt
        self.conflicts = conflicts
        self.sdk = sdk.map(Self.cut)
        self.generation = generation
        self.user = user.map(Self.cut)
    }

    /// Merges another sighting of the same installation and table, earlier or later. Stores do the same in SQL.
    public mutating func add(_ other: DeviceSighting) {
        let isNewer = other.seenAt >= seenAt
        sdk = (isNewer ? other.sdk ?? sdk : sdk ?? other.sdk)
        user = (isNewer ? other.user ?? user : user ?? other.user)
        if isNewer { generation = other.generation }
        seenAt = max(seenAt, other.seenAt)
        pushedAt = Self.later(pushedAt, other.pushedAt)
        conflicts += other.conflicts
        pull = pull.map { $0.joined(with: other.pull) } ?? other.pull
    }

    fileprivate static func later(_ one: Instant?, _ other: Instant?) -> Instant? {
        guard let one, let other else { return one ?? other }
        return max(one, other)
    }

    private static func cut(_ text: String) -> String {
        guard text.utf8.count > longestText else { return text }
        var text = text[...]
        while text.utf8.count > longestText { text.removeLast() }
        return String(text)
    }
}

extension DeviceSighting.Pull {
    fileprivate func joined(with other: Self?) -> Self {
        guard let other else { return self }
        let isOne = abs(at.milliseconds - other.at.milliseconds) <= DeviceSighting.pullGap.components.seconds * 1_000
        let (first, last) = at <= other.at ? (self, other) : (other, self)
        return Self(
            at: last.at, stamp: DeviceSighting.later(stamp, other.stamp), rows: (isOne ? first.rows : 0) + last.rows)
    }
}
