import ByteText
public import Scalars

/// What an installation of an app was seen to do with one table, up to the last time.
public struct DeviceSighting: Sendable, Equatable {
    /// Whose sighting it is, and of which table.
    public struct Key: Sendable, Hashable {
        /// As the app says it in `X-ZUMO-INSTALLATION-ID`.
        public let installation: String
        /// The table's name.
        public let table: Identifier

        /// - Returns: nil if the installation's text is empty, or too long to be an id. A part of one might be that of
        ///   another.
        public init?(installation: String, table: Identifier) {
            guard (1...DeviceSighting.longestText).contains(installation.utf8.count) else { return nil }
            self.installation = installation
            self.table = table
        }

        /// Equal if the installation is, byte by byte, and the table.
        public static func == (left: Key, right: Key) -> Bool {
            left.installation.isExactly(right.installation) && left.table == right.table
        }

        /// Hashes what is compared.
        public func hash(into hasher: inout Hasher) {
            installation.hashExactly(into: &hasher)
            hasher.combine(table)
        }
    }

    /// A pull of rows that have changed. Pages that follow one another within some seconds are one pull.
    public struct Pull: Sendable, Equatable {
        /// When its last page was asked for.
        public var at: Instant
        /// The greatest `updatedAt` that the installation has reached, by this or an earlier pull; nil if none showed
        /// one.
        public var stamp: Instant?
        /// How many rows it brought.
        public var rows: Int64

        /// Makes a pull.
        public init(at: Instant, stamp: Instant?, rows: Int64) {
            self.at = at
            self.stamp = stamp
            self.rows = rows
        }
    }

    /// Who was seen at what.
    public let key: Key
    /// When the installation was last answered.
    public var seenAt: Instant
    /// Its last pull; nil if it has made none.
    public var pull: Pull?
    /// When it last sent a write; nil if it has sent none.
    public var pushedAt: Instant?
    /// How many of its writes met a newer row.
    public var conflicts: Int64
    /// What it says about its client library; nil if it says nothing.
    public var sdk: String?
    /// The generation that it speaks.
    public var generation: String
    /// The user whose token it sent last; nil if it sent none.
    public var user: String?

    /// The most bytes of each text. What is no id is cut there.
    public static let longestText = 200
    /// How much later than a page another one may come and be of the same pull.
    public static let pullGap = Duration.seconds(10)

    /// Makes a sighting.
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

    /// Takes in what else was seen of the same installation and table, before or after. Stores do the same in SQL.
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
