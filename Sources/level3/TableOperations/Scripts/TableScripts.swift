public import Access
public import HTTPModel
public import JSONText
public import OData
public import Tables

/// Scripts around operations on tables: each may execute the operation any number of times, or never, and decides what
/// the client is answered.
///
/// They stand outside a program's hooks and inside admission and receipts: a script runs neither for a caller who may
/// not do the operation, nor for a write that is answered from its first time.
public protocol TableScripts: Sendable {
    /// Returns whether there is a script around an operation.
    /// - Parameter passes: whether the scripts of Mobile Services are ignored.
    func has(_ operation: Operation, of table: Identifier, passing passes: Bool) -> Bool
    /// Returns whether an undelete has no script but the one of updates around it.
    func undeletesByUpdate(_ table: Identifier) -> Bool
    /// Runs the script of an operation.
    func run(_ call: ScriptedCall) async -> ScriptEnd
}

/// An operation with a script around it.
public struct ScriptedCall: Sendable {
    /// The operation that the caller asked for.
    public let operation: Operation
    /// The table.
    public let table: Table
    /// The row's id; nil for a list, and if the table is yet to number the row.
    public let id: RowID?
    /// The version that the caller requires of the row; nil for any.
    public let version: Version?
    /// The properties of an insert or an update, as the client named them.
    public let item: [Property]
    /// The caller who asks.
    public let caller: Principal
    /// The caller's request; nil if unknown.
    public let request: CurrentRequest?
    /// Whether it is a read that no client asked for, to find out which rows its caller may be told of.
    public let isAside: Bool
    /// The tables with the rows of the caller; operations on them run neither scripts nor hooks.
    public let tables: ServerTables
    /// Executes the operation.
    public let execute: @Sendable (ScriptedChange) async -> ScriptedOutcome
}

/// A script's changes to its operation before it is executed.
public struct ScriptedChange: Sendable {
    /// Values that replace or extend the client's.
    public var values: [Property] = []
    /// The names of client values to leave out.
    public var removed: [String] = []
    /// The id of another row; nil to keep it.
    public var id: String?
    /// The version to require instead; nil for the caller's.
    public var version: VersionDemand?
    /// Changes to a list's query.
    public var query = ScriptedQuery()

    /// The version that a script requires of the row.
    public enum VersionDemand: Sendable {
        /// Any version.
        case any
        case version(String)
    }

    /// No change.
    public init() {}
}

/// A script's changes to a list's query; nil keeps a part as the client has it.
public struct ScriptedQuery: Sendable {
    /// A condition besides the client's filter, or instead of it.
    public var condition: Expression?
    /// Whether the client's own filter is dropped.
    public var dropsFilter = false
    /// Another order.
    public var order: [OrderTerm]?
    /// The number of rows to skip.
    public var skip: Int?
    /// The maximum number of rows to answer.
    public var limit: Int?
    /// Whether a list continues after its limit, by a link that runs the script again.
    public var goesOnBehindLimit = false
    /// Other columns; all of them if empty.
    public var select: [SelectedName]?
    /// Whether the rows are counted.
    public var wantsCount: Bool?
    /// Whether tombstones are included.
    public var includesDeleted: Bool?

    /// No change.
    public init() {}
}

/// The result of an operation, as its script learns it.
public enum ScriptedOutcome: Sendable {
    case row(Record)
    case rows([Record], count: Int64?)
    case failed(ScriptedFailure)
}

/// Why an operation was not done.
public struct ScriptedFailure: Sendable {
    /// The reason.
    public enum Kind: Sendable {
        /// The row has another version.
        case conflict
        /// The id is taken.
        case duplicate
        /// There is no such row, or the caller may not see it.
        case missing
        /// The row is a tombstone.
        case tombstone
        /// Nothing was to be written, and a row that could be written exists.
        case onlyAsked
        /// Another script around the same operation answers instead.
        case answered(ScriptedAnswer)
        case error(OperationError)
    }

    /// The reason.
    public let kind: Kind
    /// The current row, if there is one that may be shown.
    public let row: Record?
    /// The number of this execution by the script, counted from 1; `ScriptEnd.passed` refers to it.
    public let execution: Int
}

/// How a script ends: what the client is answered.
public enum ScriptEnd: Sendable {
    /// The result of the last successful execution.
    case executed
    /// The failure of that execution.
    case passed(execution: Int)
    /// The operation is to be executed, and its result is the answer.
    case execute(ScriptedChange)
    /// The script's own answer.
    case answered(ScriptedAnswer)
    /// A failure in the form of the client's generation.
    case refused(Refusal)
    /// No process takes the call; the detail is for the log.
    case busy(detail: String)
    /// The script failed; the detail is for the log.
    case failed(detail: String)
}

/// An answer created by a script.
public struct ScriptedAnswer: Sendable, Equatable {
    /// The status; nil for the operation's usual one.
    public var status: HTTPStatus?
    /// The body; nil for none.
    public var body: JSONValue?
    /// The total count, if the script gave one with a list.
    public var count: Int64?
    /// Where the list that the script changed ends; nil if none was read.
    public internal(set) var end: ListEnd?
    /// Whether it is a row that blocked a write, to be answered as a conflict.
    public internal(set) var isInTheWay = false
    /// Whether that row is a tombstone.
    public internal(set) var isTombstone = false
    /// Whether the requested row is hidden from its reader, to be answered as missing.
    public private(set) var isMissing = false
    /// The link to the rest of the list, in the form of the client's generation.
    public var link: String?

    /// The answer for a missing row.
    public static var missing: ScriptedAnswer {
        var answer = ScriptedAnswer(nil, nil)
        answer.isMissing = true
        return answer
    }

    /// Where a list ends.
    public struct ListEnd: Sendable, Equatable {
        /// The number of rows read.
        public let rowCount: Int
        /// Whether more rows follow.
        public let hasMore: Bool
        /// The place of the last row.
        public let cursor: PageCursor?
        /// Why it ends before its query does; nil if it doesn't.
        public let cut: PageTruncation?
    }
    /// Creates an answer.
    public init(_ status: HTTPStatus?, _ body: JSONValue?, count: Int64? = nil) {
        self.status = status
        self.body = body
        self.count = count
    }
}

/// Why a page has fewer rows than were asked for.
public enum PageTruncation: Sendable {
    /// It reached the maximum size.
    case size
    /// There was no memory left.
    case memory
}

/// Rows that may end before their query does.
public protocol BoundedRows {
    /// Why no more rows were taken; nil if all were.
    var cut: PageTruncation? { get }
}
