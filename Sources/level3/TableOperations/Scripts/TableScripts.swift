public import Access
public import HTTPModel
public import JSONText
public import OData
public import Tables

/// Scripts around operations on tables: each does the operation by what it is given, as often as it likes or never, and
/// says what the client is answered.
///
/// They stand outside the hooks of a program and inside admission and receipts: a script runs for no caller that may not
/// do the operation, and for no write that is answered as it was the first time.
public protocol TableScripts: Sendable {
    /// Whether there is a script around an operation.
    /// - Parameter passes: whether those of Mobile Services count for nothing.
    func has(_ operation: Operation, of table: Identifier, passing passes: Bool) -> Bool
    /// Whether an undelete has the script of updates around it and none of its own.
    func undeletesByUpdate(_ table: Identifier) -> Bool
    /// Runs it.
    func run(_ call: ScriptedCall) async -> ScriptEnd
}

/// An operation that a script stands around.
public struct ScriptedCall: Sendable {
    /// What the caller asked for.
    public let operation: Operation
    /// The table.
    public let table: Table
    /// The row's id; nil for a list, and where the table is yet to number the row.
    public let id: RowID?
    /// The version that the caller wants the row to have; nil for any.
    public let version: Version?
    /// What an insert or an update brings, as the client named it.
    public let item: [Property]
    /// Who asks.
    public let caller: Principal
    /// By which request; nil where none is known.
    public let request: CurrentRequest?
    /// Whether it is a read that no client asked for, to know which rows its caller may be told of.
    public let isAside: Bool
    /// The tables with the rows of the caller; what is done here runs neither scripts nor hooks.
    public let tables: ServerTables
    /// Does the operation.
    public let execute: @Sendable (ScriptedChange) async -> ScriptedOutcome
}

/// What a script changes about its operation before it is done.
public struct ScriptedChange: Sendable {
    /// Values in the place of the client's, or beside them.
    public var values: [Property] = []
    /// The client's values to leave out, by name.
    public var removed: [String] = []
    /// Another row.
    public var id: String?
    /// Another version; nil for what the caller wants.
    public var version: VersionDemand?
    /// What becomes of a list's query.
    public var query = ScriptedQuery()

    /// What a script says of the row's version.
    public enum VersionDemand: Sendable {
        /// Any will do.
        case any
        case version(String)
    }

    /// No change.
    public init() {}
}

/// What a script changes about a list; nil leaves a part as the client has it.
public struct ScriptedQuery: Sendable {
    /// What has to be true beside the client's filter, or in its place.
    public var condition: Expression?
    /// Whether the client's own filter is left out.
    public var dropsFilter = false
    /// Another order.
    public var order: [OrderTerm]?
    /// So many rows are passed over.
    public var skip: Int?
    /// At most so many rows are answered.
    public var limit: Int?
    /// Whether a list goes on behind its limit, by a link that runs the script again.
    public var goesOnBehindLimit = false
    /// Other columns; all of them where it is empty.
    public var select: [SelectedName]?
    /// Whether the rows are counted.
    public var wantsCount: Bool?
    /// Whether tombstones are answered too.
    public var includesDeleted: Bool?

    /// No change.
    public init() {}
}

/// What came of an operation, as its script learns of it.
public enum ScriptedOutcome: Sendable {
    case row(Record)
    case rows([Record], count: Int64?)
    case failed(ScriptedFailure)
}

/// Why an operation was not done.
public struct ScriptedFailure: Sendable {
    /// What stood in its way.
    public enum Kind: Sendable {
        /// The row has another version.
        case conflict
        /// The id is taken.
        case duplicate
        /// There is no such row, or the caller may not see it.
        case missing
        /// The row is a tombstone.
        case tombstone
        /// Nothing was to be written, and there is a row that could be.
        case onlyAsked
        /// Another script, which stands around the operation too, answers in its place.
        case answered(ScriptedAnswer)
        case error(OperationError)
    }

    /// What stood in its way.
    public let kind: Kind
    /// The row as it stands, where there is one that may be told of.
    public let row: Record?
    /// How often the script had the operation done by then, by which `ScriptEnd.passed` names it.
    public let execution: Int
}

/// What a script leaves the client to be answered.
public enum ScriptEnd: Sendable {
    /// What the operation gave when it was done last.
    case executed
    /// The failure of that execution.
    case passed(execution: Int)
    /// The operation is to be done, and what it gives is the answer.
    case execute(ScriptedChange)
    /// Something of the script's own.
    case answered(ScriptedAnswer)
    /// A failure in the form of the client's generation.
    case refused(Refusal)
    /// Too many calls of scripts are under way.
    case busy
    /// The script broke; for the log.
    case failed(detail: String)
}

/// An answer that a script made.
public struct ScriptedAnswer: Sendable, Equatable {
    /// nil for what the operation is answered with otherwise.
    public var status: HTTPStatus?
    /// nil for none.
    public var body: JSONValue?
    /// The count of all rows, where the script gave one with a list.
    public var count: Int64?
    /// Where the list that the script changed ends; nil where it had none read.
    public internal(set) var end: ListEnd?
    /// Whether it is a row that stood in the way of a write, which is answered as the conflict that it is.
    public internal(set) var isInTheWay = false
    /// Whether that row is a tombstone.
    public internal(set) var isTombstone = false
    /// Whether the row that was asked for is none to its reader: it is answered as one that isn't there.
    public private(set) var isMissing = false
    /// What goes on behind the list, in the form of the client's generation.
    public var link: String?

    /// That there is no such row.
    public static var missing: ScriptedAnswer {
        var answer = ScriptedAnswer(nil, nil)
        answer.isMissing = true
        return answer
    }

    /// Where a list ends.
    public struct ListEnd: Sendable, Equatable {
        /// How many rows were read.
        public let rowCount: Int
        /// Whether more of them follow.
        public let hasMore: Bool
        /// The last one's place.
        public let cursor: PageCursor?
        /// Why it ends before its query does; nil where it doesn't.
        public let cut: PageTruncation?
    }
    /// Makes an answer.
    public init(_ status: HTTPStatus?, _ body: JSONValue?, count: Int64? = nil) {
        self.status = status
        self.body = body
        self.count = count
    }
}

/// Why a page has fewer rows than were asked for.
public enum PageTruncation: Sendable {
    /// It got as large as a page may get.
    case size
    /// There was no memory for more.
    case memory
}

/// Rows that may end before their query does.
public protocol BoundedRows {
    /// Why they took no more; nil where they took all.
    var cut: PageTruncation? { get }
}
