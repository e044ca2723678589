/// A table as the database's own list has it.
public struct RegisteredTable: Sendable {
    /// Its name.
    public let name: Identifier
    /// The last stamp that was given to a row, in milliseconds since 1970.
    public let lastStamp: Int64
    /// Whether its deleted rows stay as tombstones.
    public let softDelete: Bool
    /// The last version that came with an import.
    public let imported: Version

    /// Puts an entry together.
    public init(name: Identifier, lastStamp: Int64, softDelete: Bool, imported: Version) {
        self.name = name
        self.lastStamp = lastStamp
        self.softDelete = softDelete
        self.imported = imported
    }
}
