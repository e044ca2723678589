public import OData

/// Where rows live: the common contract of SQLite, PostgreSQL and the reference store.
///
/// A write is acknowledged, that is, the call returns, only when it is durable. Rows reach the visitor in the state
/// that the outcome refers to. All writes give the row a new version and the table's next stamp, in commit order.
///
/// For a call with a `scope`, a row outside of it doesn't exist; nil is the scope of all rows. A write of a row that is
/// in scope but must not be written throws `outsideScope`, whatever its precondition and even if it is a tombstone.
public protocol TableStore: StoreHealth {
    /// Returns the current table with that name in any case; nil if there is none.
    func table(named name: Identifier) -> Table?

    /// Returns all tables, by name.
    func tables() -> [Table]

    /// Creates a table that no definition names. If it already exists, the existing one is returned.
    func createTable(_ definition: TableDefinition) async throws(TableError) -> Table

    /// Reads one row.
    /// - Returns: nil if the id is unknown or out of scope, or its row is a tombstone and those aren't included.
    func find<Row: RowVisitor>(
        _ id: RowID, in table: Table, select: [SelectedName]?, includeDeleted: Bool, scope: RowScope?, into row: Row
    ) async throws(TableError) -> Row?

    /// Reads one whole row in the scope of all rows, if that is possible without waiting.
    func findAtOnce<Row: RowVisitor>(
        _ id: RowID, in table: Table, includeDeleted: Bool, into row: inout Row
    ) throws(TableError) -> ImmediateRead

    /// Reads a page of rows and, if requested, their count, from one snapshot.
    func list<Rows: RowVisitor>(
        _ query: TableQuery, in table: Table, into rows: Rows
    ) async throws(TableError) -> Page<Rows>

    /// Performs a write to a table.
    /// - Throws: `outsideScope` if the row must not be written, or not with these values.
    func write<Row: RowVisitor>(
        _ write: RowWrite, in table: Table, into row: Row
    ) async throws(TableError) -> WriteResult<Row>

    /// Looks up how a write's receipt answers it, before it is performed, and writes nothing. Other writes in the
    /// meantime may still give the write itself another result.
    /// - Returns: the result of the write as a repeat; nil if it has to be performed to know its result.
    func recall<Row: RowVisitor>(
        _ write: RowWrite, in table: Table, into row: Row
    ) async throws(TableError) -> WriteResult<Row>?

    /// Returns at least 32 secret bytes unique to this database, for sealing continuations that clients hand back.
    func continuationKey() async throws(TableError) -> [UInt8]

    /// Stores a query for the links that refer to it, within limits.
    /// - Returns: whether it is stored. If there is no room for another, those already stored stay.
    func keep(_ query: StoredQuery) async throws(TableError) -> Bool

    /// Returns the text of a stored query; nil if there is none.
    func keptQuery(_ reference: String) async throws(TableError) -> String?
}

/// The result of reading a row without waiting.
public enum ImmediateRead: Sendable {
    /// The visitor has seen the row.
    case found
    /// There is no such row.
    case missing
    /// The read would have to wait.
    case waits
}

extension TableStore {
    /// Returns those known to be missing.
    public func tablesAway() async -> [Identifier] { tables().filter(\.isAway).map(\.name) }

    /// Returns false: a store that keeps no queries gets links that contain them whole.
    public func keep(_ query: StoredQuery) async throws(TableError) -> Bool { false }

    /// Returns nil.
    public func keptQuery(_ reference: String) async throws(TableError) -> String? { nil }

    /// Returns `waits`, as is right for most stores.
    public func findAtOnce<Row: RowVisitor>(
        _ id: RowID, in table: Table, includeDeleted: Bool, into row: inout Row
    ) throws(TableError) -> ImmediateRead { .waits }
}

/// The result of a write.
public enum WriteOutcome: Sendable, Hashable {
    /// Done and durable; the row is the one written.
    case written
    /// The precondition doesn't hold; the row is the current one.
    case mismatch
    /// An insert's id is taken; the row is the one that has it, live or tombstone.
    case duplicate
    /// The row is a tombstone, whatever its version; it is returned.
    case tombstone
    /// There is no such row in scope; no row is returned.
    case missing
    /// An insert's id is taken by a row out of scope; no row is returned. A caller who could not have written the new
    /// row either isn't told so, but gets `outsideScope`.
    case taken
}

/// The outcome of a write with the row that it refers to.
public struct WriteResult<Row: Sendable>: Sendable {
    /// The outcome of the write.
    public let outcome: WriteOutcome
    /// Whether nothing was done now: the row is the one that the same write returned the first time.
    public let isRepeat: Bool
    /// The visitor, which has seen the row unless the outcome is `missing` or `taken`.
    public let row: Row

    /// Creates a result.
    public init(_ outcome: WriteOutcome, _ row: Row, isRepeat: Bool = false) {
        self.outcome = outcome
        self.row = row
        self.isRepeat = isRepeat
    }
}
