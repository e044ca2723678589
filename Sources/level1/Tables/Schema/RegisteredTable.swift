public import Scalars

/// What a database records about a table that the server created.
public struct RegisteredTable: Sendable {
    /// Who asked for the table.
    public enum Origin: String, Sendable {
        case configuration, client
    }

    /// The name in the spelling that the database uses.
    public let name: Identifier
    /// Who asked for the table last.
    public let origin: Origin
    /// Whether a delete leaves a tombstone.
    public let softDelete: Bool
    /// The last stamp given to a row, in milliseconds since 1970.
    public let lastStamp: Int64
    /// The stamp up to which tombstones were purged; nil if none were.
    public let purgedThrough: Instant?
    /// The highest version that came with an import.
    public let imported: Version

    /// Creates a record.
    public init(
        name: Identifier, origin: Origin, softDelete: Bool, lastStamp: Int64 = 0, purgedThrough: Instant? = nil,
        imported: Version = Version(counter: 0)
    ) {
        self.name = name
        self.origin = origin
        self.softDelete = softDelete
        self.lastStamp = lastStamp
        self.purgedThrough = purgedThrough
        self.imported = imported
    }
}
