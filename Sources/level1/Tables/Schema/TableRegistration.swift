/// What a database keeps of a table that the server made.
public struct TableRegistration: Sendable, Equatable {
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

    /// Names what is kept.
    public init(name: Identifier, origin: Origin, softDelete: Bool) {
        self.name = name
        self.origin = origin
        self.softDelete = softDelete
    }
}
