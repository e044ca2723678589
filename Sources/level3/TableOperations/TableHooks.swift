public import Access
public import Tables

/// What a program does around the operations on a table.
///
/// Hooks of one kind run in the order in which they were added, on threads that hooks and handlers have for themselves:
/// one may block, while the write that it belongs to waits for it.
///
/// A before-hook runs once for each attempt at a write (`TableChange.attempt`), and an after-hook once for a write that
/// was done. None runs for a repeated request that is answered as the first one was, but for the before-hooks of one that
/// came while the first was still being done.
public struct TableHooks: Sendable {
    /// May change what is about to be written, or refuse it: by throwing a `Refusal`. Another error answers 500.
    ///
    /// The write may still be refused, as by a conflict, or be tried again: what is to happen once belongs in an
    /// after-hook.
    public typealias Before = @concurrent @Sendable (inout TableChange) async throws -> Void
    /// Hears of a write once it is durable, before the client does. What it throws goes to the log only. It hears of no
    /// write twice, and of none at all where the server ends between the write and the hook.
    public typealias After = @concurrent @Sendable (WrittenRow) async throws -> Void

    private(set) var before: [Operation: [Before]] = [:]
    private(set) var after: [Operation: [After]] = [:]

    /// No hook.
    public init() {}

    /// Adds a hook before each insert.
    public mutating func beforeInsert(_ hook: @escaping Before) { before[.insert, default: []].append(hook) }

    /// Adds a hook before each update.
    public mutating func beforeUpdate(_ hook: @escaping Before) { before[.update, default: []].append(hook) }

    /// Adds a hook before each delete, be it of a row or of its tombstone.
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
    /// What is to be done.
    public let operation: Operation
    /// The table's name as it is defined.
    public let table: String
    /// The row's id; nil where the table is yet to number it.
    public let id: String?
    /// Who asks for it.
    public let caller: Principal
    /// Which attempt at the write it is, counted from 1. All are one request's: a v3 write whose conditions need the row
    /// to be read is tried again, up to 100 times, where another write came between, each time with the values that the
    /// client sent, or that its patch makes of the row as it is by then.
    public let attempt: Int
    /// The columns to write, as the client named them; without meaning for delete and undelete.
    public var values: Record
    /// The tables, with the rows that the caller may see. What is written here runs no hooks.
    public let tables: ServerTables
}

/// A write that is done.
public struct WrittenRow: Sendable {
    /// What was done.
    public let operation: Operation
    /// The table's name as it is defined.
    public let table: String
    /// Who asked for it.
    public let caller: Principal
    /// The whole row as it was written; as it was before where it is gone.
    public let row: Record
    /// The tables, with the rows that the caller may see. What is written here runs no hooks.
    public let tables: ServerTables
}
