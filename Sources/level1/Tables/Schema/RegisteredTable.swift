public import Scalars

/// What a database keeps of a table that the server made.
public struct RegisteredTable: Sendable {
    /// Who asked for a table.
    public enum Origin: String, Sendable {
        case configuration, client
    }

    /// The name in the spelling that the database uses.
    public let name: Identifier
    /// Who asked for the table last.
    public let origin: Origin
    /// Whether a delete leaves a tombstone.
    public let softDelete: Bool
    /// The last stamp that was given to a row, in milliseconds since 1970.
    public let lastStamp: Int64
    /// The stamp up to which tombstones were purged; nil where none were.
    public let purgedThrough: Instant?
    /// The last version that came with an import.
    public let imported: Version

    /// Names what is kept.
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
