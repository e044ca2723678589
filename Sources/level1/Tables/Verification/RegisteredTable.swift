public import Scalars

/// A table as the database's own list has it.
public struct RegisteredTable: Sendable {
    /// Its name.
    public let name: Identifier
    /// Who asked for it last.
    public let origin: TableRegistration.Origin
    /// Whether its deleted rows stay as tombstones.
    public let softDelete: Bool
    /// The last stamp that was given to a row, in milliseconds since 1970.
    public let lastStamp: Int64
    /// The stamp up to which tombstones were purged; nil where none were.
    public let purgedThrough: Instant?
    /// The last version that came with an import.
    public let imported: Version

    /// Puts an entry together.
    public init(
        name: Identifier, origin: TableRegistration.Origin, softDelete: Bool, lastStamp: Int64,
        purgedThrough: Instant?, imported: Version
    ) {
        self.name = name
        self.origin = origin
        self.softDelete = softDelete
        self.lastStamp = lastStamp
        self.purgedThrough = purgedThrough
        self.imported = imported
    }
}
