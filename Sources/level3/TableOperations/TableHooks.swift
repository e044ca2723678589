public import Access
public import Tables

/// What a program does around the operations on a table.
///
/// Hooks of one kind run in the order in which they were added, on threads reserved for hooks and handlers: a hook may
/// block, while its write waits.
///
/// A before-hook runs once for each attempt at a write (`TableChange.attempt`), and an after-hook once for each
/// completed write. Neither runs for a repeated request that is answered like the first, except for the before-hooks of
/// a repeat that arrives while the first is still in progress.
public struct TableHooks: Sendable {
    /// Changes or refuses a pending write; throw a `Refusal` to refuse it. Any other error answers 500.
    ///
    /// The write may still be refused, as by a conflict, or be retried: put anything that must happen only once in an
    /// after-hook.
    public typealias Before = @concurrent @Sendable (inout TableChange) async throws -> Void
    /// Runs after a write is durable but before the client is answered. Thrown errors are only logged. It never runs
    /// twice for one write, and not at all if the server exits between the write and the hook.
    public typealias After = @concurrent @Sendable (WrittenRow) async throws -> Void

    private(set) var before: [Operation: [Before]] = [:]
    private(set) var after: [Operation: [After]] = [:]

    /// Creates an empty set of hooks.
    public init() {}

    /// Adds a hook before each insert.
    public mutating func beforeInsert(_ hook: @escaping Before) { before[.insert, default: []].append(hook) }

    /// Adds a hook before each update.
    public mutating func beforeUpdate(_ hook: @escaping Before) { before[.update, default: []].append(hook) }

    /// Adds a hook before each delete, whether of a row or of its tombstone.
    public mutating func beforeDelete(_ hook: @escaping Before) { before[.delete, default: []].append(hook) }

    /// Adds a hook before each undelete.
    public mutating func beforeUndelete(_ hook: @escaping Before) { before[.undelete, default: []].append(hook) }

    /// Adds a hook after each insert.
    public mutating func afterInsert(_ hook: @escaping After) { after[.insert, default: []].append(hook) }

    /// Adds a hook after each update.
    public mutating func afterUpdate(_ hook: @escaping After) { after[.update, default: []].append(hook) }

    /// Adds a hook after each delete.
    public mutating func afterDelete(_ hook: @escaping After) { after[.delete, default: []].append(hook) }

    /// Adds a hook after each undelete.
    public mutating func afterUndelete(_ hook: @escaping After) { after[.undelete, default: []].append(hook) }
}

/// A write that a hook may change or refuse before it happens.
public struct TableChange: Sendable {
    /// The operation to be done.
    public let operation: Operation
    /// The table's name as it is defined.
    public let table: String
    /// The row's id; nil if the table is yet to number it.
    public let id: String?
    /// The caller who asks for it.
    public let caller: Principal
    /// The number of this attempt at the write, from 1. All attempts belong to one request: a v3 write whose conditions
    /// need the row to be read is retried, up to 100 times, if another write intervenes, each time with the values that
    /// the client sent, or that its patch yields for the row by then.
    public let attempt: Int
    /// The columns to write, as the client named them; ignored for delete and undelete.
    public var values: Record
    /// The tables, limited to the rows that the caller may see. Writes made through them run no hooks.
    public let tables: ServerTables
}

/// A completed write.
public struct WrittenRow: Sendable {
    /// The operation that was done.
    public let operation: Operation
    /// The table's name as it is defined.
    public let table: String
    /// The caller who asked for it.
    public let caller: Principal
    /// The whole row as written, or as it was before if it has been removed.
    public let row: Record
    /// The tables, limited to the rows that the caller may see. Writes made through them run no hooks.
    public let tables: ServerTables
}
