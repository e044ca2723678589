public import OData

/// Where rows live: the one contract of SQLite, PostgreSQL and the reference store.
///
/// A write is acknowledged, that is the call returns, only when it is durable. Rows reach the visitor in the state that
/// the outcome refers to. All writes give the row a new version and the table's next stamp, in commit order.
///
/// For a call with a `scope`, a row outside of it doesn't exist; nil is the scope of all rows. A write of a row that is
/// in scope but must not be written throws `outsideScope`, whatever its precondition and even if it is a tombstone.
public protocol TableStore: StoreHealth {
    /// The current table with that name in any case; nil if there is none.
    func table(named name: Identifier) -> Table?

    /// All tables, by name.
    func tables() -> [Table]

    /// Makes a table that no definition names. Where it exists by now, the existing one is answered.
    func createTable(_ definition: TableDefinition) async throws(TableError) -> Table

    /// Reads one row.
    /// - Returns: nil if the id is unknown or out of scope, or its row is a tombstone and those are not included.
    func find<Row: RowVisitor>(
        _ id: RowID, in table: Table, select: [SelectedName]?, includeDeleted: Bool, scope: RowScope?, into row: Row
    ) async throws(TableError) -> Row?

    /// Reads one whole row in the scope of all rows, if that is done before a wait for it would begin.
    func findAtOnce<Row: RowVisitor>(
        _ id: RowID, in table: Table, includeDeleted: Bool, into row: inout Row
    ) throws(TableError) -> ImmediateRead

    /// Reads a page of rows and, where asked, their count, from one snapshot.
    func list<Rows: RowVisitor>(
        _ query: TableQuery, in table: Table, into rows: Rows
    ) async throws(TableError) -> Page<Rows>

    /// Does a write to a table.
    /// - Throws: `outsideScope` if the row must not be written, or not as it would be.
    func write<Row: RowVisitor>(
        _ write: RowWrite, in table: Table, into row: Row
    ) async throws(TableError) -> WriteResult<Row>

    /// Says before a write is made how its receipt answers it, and does nothing. Other writes in the meantime may still
    /// make the write itself end differently.
    /// - Returns: what the write would return as a repeat; nil if it has to be made to know its result.
    func recall<Row: RowVisitor>(
        _ write: RowWrite, in table: Table, into row: Row
    ) async throws(TableError) -> WriteResult<Row>?

    /// At least 32 bytes that this database alone has, for the seal on the continuations that clients hand back.
    func continuationKey() async throws(TableError) -> [UInt8]

    /// Stores a query for links that refer to it, within limits.
    /// - Returns: whether it is stored. What was stored before stays if there is no room for another.
    func keep(_ query: StoredQuery) async throws(TableError) -> Bool

    /// The text of a stored query; nil if there is none.
    func keptQuery(_ reference: String) async throws(TableError) -> String?
}

/// The result of reading a row without waiting.
public enum ImmediateRead: Sendable {
    /// The visitor has seen it.
    case found
    /// There is none.
    case missing
    /// It has to be waited for.
    case waits
}

extension TableStore {
    /// Those for which it is known.
    public func tablesAway() async -> [Identifier] { tables().filter(\.isAway).map(\.name) }

    /// A store that keeps none has links with whole queries.
    public func keep(_ query: StoredQuery) async throws(TableError) -> Bool { false }

    /// None.
    public func keptQuery(_ reference: String) async throws(TableError) -> String? { nil }

    /// Most stores are waited for.
    public func findAtOnce<Row: RowVisitor>(
        _ id: RowID, in table: Table, includeDeleted: Bool, into row: inout Row
    ) throws(TableError) -> ImmediateRead { .waits }
}

/// What became of a write.
public enum WriteOutcome: Sendable, Hashable {
    /// Done and durable; the row is the one written.
    case written
    /// The precondition does not hold; the row is the current one.
    case mismatch
    /// An insert's id is taken; the row is the one that has it, live or tombstone.
    case duplicate
    /// The row is a tombstone, whatever its version; the row is the tombstone.
    case tombstone
    /// There is no such row in scope; none is returned.
    case missing
    /// An insert's id is taken by a row out of scope; none is returned. A caller who could not have written the new row
    /// either isn't told: that is `outsideScope`.
    case taken
}

/// The outcome of a write with the row that it speaks of.
public struct WriteResult<Row: Sendable>: Sendable {
    /// What became of the write.
    public let outcome: WriteOutcome
    /// Whether nothing was done now: the row is the one that the same write returned before.
    public let isRepeat: Bool
    /// The visitor, which has seen the row unless the outcome is `missing` or `taken`.
    public let row: Row

    /// Makes a result.
    public init(_ outcome: WriteOutcome, _ row: Row, isRepeat: Bool = false) {
        self.outcome = outcome
        self.row = row
        self.isRepeat = isRepeat
    }
}
