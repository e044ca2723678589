import HTTPModel
import JSONText
import Scalars
import Tables

/// Encodes the rows that a store visits as JSON, one object after another, directly into bytes.
@safe struct RowJSON: RowVisitor {
    /// Allocates only when the rows begin: a request may wait before it gets any, as those with scripts do.
    private var json = JSONWriter(capacity: 0)
    /// The text before the first row.
    private let head: StaticString
    private var openings = RowJSON.noOpenings {
        didSet { (unsafe names, unsafe ends) = unsafe (openings.bytes, openings.ends) }
    }
    /// The memory of `openings`: accessing the object for each row would update a reference count that threads share.
    private nonisolated(unsafe) var names = unsafe RowJSON.noOpenings.bytes
    private nonisolated(unsafe) var ends = unsafe RowJSON.noOpenings.ends
    /// The index of the id's cell; -1 if it was not requested.
    private var idCell = -1
    private var cell = 0
    private let isList: Bool
    /// Whether a numeric id is written as text.
    private let idIsText: Bool
    /// A member that every row has in addition to its columns; empty for none.
    private let member: [UInt8]
    private(set) var rowCount = 0
    /// The version of the last row visited; nil if it was not among the columns.
    private(set) var version: Version?
    /// The last row's id if it is numeric.
    private(set) var integerID: Int64?
    /// The maximum size of a list, and its share of the budget so far.
    private let allowance: ResponseSizeLimit?
    private(set) var charge: ByteReservation?
    /// The size at which both are checked next.
    private var checkpoint: Int
    private(set) var end = End.none

    /// Why a list ended before its last row.
    enum End {
        case none
        /// The answer has reached its maximum size.
        case answer
        /// The server has reached its limit for all clients together.
        case budget
    }

    private init(
        isList: Bool, head: StaticString = "", allowance: ResponseSizeLimit? = nil, idIsText: Bool = false,
        member: [UInt8] = []
    ) {
        self.isList = isList
        self.head = head
        self.idIsText = idIsText
        self.member = member
        self.allowance = allowance
        checkpoint = allowance.map { min(ByteReservation.step, $0.bytes) } ?? .max
    }

    /// Creates a writer for a single object.
    /// - Parameter member: an additional member of the row, as `"name":value`.
    static func single(adding member: [UInt8] = []) -> RowJSON {
        RowJSON(isList: false, member: member)
    }

    /// Creates a writer for one row of v3, whose ids are text.
    static func item() -> RowJSON {
        RowJSON(isList: false, idIsText: true)
    }

    /// About the size of a page of fifty rows with a few columns, so that few lists have to be copied as they grow.
    private static let listCapacity = 16_000

    /// Creates a writer for `[…]`, or for the `results` of the wrapped form, which has a count.
    /// - Parameter member: an additional member of each row, as `"name":value`.
    static func list(
        wrapped: Bool, within allowance: ResponseSizeLimit? = nil, adding member: [UInt8] = []
    ) -> RowJSON {
        RowJSON(isList: true, head: wrapped ? "{\"results\":[" : "[", allowance: allowance, member: member)
    }

    /// Creates a writer for `{"items":[…]…}` (v3).
    static func items(within allowance: ResponseSizeLimit? = nil) -> RowJSON {
        RowJSON(isList: true, head: "{\"items\":[", allowance: allowance, idIsText: true)
    }

    private static let noOpenings = MemberOpenings([])

    private mutating func begin() {
        guard json.bytes.isEmpty else { return }
        json = JSONWriter(capacity: isList ? Self.listCapacity : 512)
        json.raw(head)
    }

    mutating func begin(_ layout: RowLayout) {
        begin()
        idCell = layout.idCell
        openings = layout.openings
    }

    /// Begins the rows with column names of another generation.
    mutating func begin(_ fields: [Field], spelled name: (Field) -> String) {
        begin()
        idCell = fields.firstIndex(of: .system(.id)) ?? -1
        openings = MemberOpenings(fields.map(name))
    }

    mutating func visit(_ cells: Span<RowCell>) {
        // As a buffer: the optimizer of Swift 6.3 fails on loops over a span next to a closure that captures it.
        unsafe cells.withUnsafeBufferPointer { unsafe visit($0) }
    }

    /// Writes a whole row: its maximum size is known in advance, so that capacity is reserved once.
    private mutating func visit(_ cells: UnsafeBufferPointer<RowCell>) {
        // Openings with their padding, the braces and commas around them, and a comma before the row.
        var bound = unsafe names.count + member.count + 4
        for index in cells.indices {
            let cell = unsafe cells[index]
            bound += Self.bound(of: cell)
            if cell.kind == .version { version = Version(counter: cell.whole) }
            if index == idCell, cell.kind == .integer { integerID = cell.whole }
        }
        if rowCount > 0, isList { json.raw(UInt8(ascii: ",")) }
        let (idCell, idIsText) = (idCell, idIsText)
        guard let names = unsafe names.baseAddress else { return }
        let ends = unsafe ends
        precondition(cells.count == ends.count)
        json.sink(atMost: bound) { sink in
            if ends.isEmpty { sink.raw(UInt8(ascii: "{")) }
            var start = 0
            for index in cells.indices {
                let end = unsafe ends[index]
                unsafe sink.raw(padded: names + start, count: end - start)
                start = end
                unsafe sink.write(cells[index], asText: idIsText && index == idCell)
            }
        }
        endRow()
    }

    private static func bound(of cell: RowCell) -> Int {
        switch cell.kind {
        case .text where cell.isPlain: unsafe cell.bytes.count + 2
        case .text: unsafe JSONSink.bound(of: cell.bytes)
        case .decimal: unsafe cell.bytes.count
        default: JSONSink.longestNumber
        }
    }

    mutating func beginRow() {
        if rowCount > 0, isList { json.raw(UInt8(ascii: ",")) }
        if unsafe ends.isEmpty { json.raw(UInt8(ascii: "{")) }
        cell = 0
    }

    mutating func visit(_ value: RowCell) {
        let isID = cell == idCell
        if value.kind == .version { version = Version(counter: value.whole) }
        if isID, value.kind == .integer { integerID = value.whole }
        // Memory has no bounds of its own in a release.
        unsafe precondition(cell < ends.count)
        unsafe json.raw(names[(cell == 0 ? 0 : ends[cell - 1])..<ends[cell]])
        cell += 1
        let asText = isID && idIsText
        json.sink(atMost: Self.bound(of: value)) { $0.write(value, asText: asText) }
    }

    mutating func endRow() {
        if !member.isEmpty {
            if unsafe !ends.isEmpty { json.raw(UInt8(ascii: ",")) }
            json.raw(member[...])
        }
        json.raw(UInt8(ascii: "}"))
        rowCount += 1
        if json.bytes.count >= checkpoint { measure() }
    }

    var isFull: Bool { end != .none }

    private mutating func measure() {
        guard let allowance else { return }
        let size = json.bytes.count
        let charge = charge ?? ByteReservation(allowance.budget)
        self.charge = charge
        if !charge.cover(size) {
            end = .budget
        } else if size >= allowance.bytes {
            end = .answer
        }
        checkpoint = min(size + ByteReservation.step, allowance.bytes)
    }

    /// The bytes of a single object.
    var object: [UInt8] { json.bytes }

    /// Ends the list in place, because copying a long one takes time; `{"results":…,"count":…}` if a count is given.
    mutating func finishList(count: Int64?) -> [UInt8] {
        begin()
        json.raw(UInt8(ascii: "]"))
        if let count {
            json.raw(",\"count\":")
            json.integer(count)
            json.raw(UInt8(ascii: "}"))
        }
        return json.bytes
    }

    /// Ends a list of v3, whose members are null if they don't apply.
    mutating func finishItems(count: Int64?, nextLink: String?) -> [UInt8] {
        begin()
        json.raw("],\"count\":")
        if let count { json.integer(count) } else { json.raw("null") }
        json.raw(",\"nextLink\":")
        if let nextLink { json.string(nextLink) } else { json.raw("null") }
        json.raw(UInt8(ascii: "}"))
        return json.bytes
    }
}

extension JSONSink {
    /// - Parameter asText: whether a whole number is written as text.
    fileprivate mutating func write(_ cell: RowCell, asText: Bool) {
        switch cell.kind {
        case .null: raw("null")
        case .boolean: if cell.isTrue { raw("true") } else { raw("false") }
        case .integer where !asText: integer(cell.whole)
        case .integer:
            raw(UInt8(ascii: "\""))
            integer(cell.whole)
            raw(UInt8(ascii: "\""))
        case .number: number(cell.number)
        case .decimal: unsafe raw(cell.bytes)
        case .text where cell.isPlain: unsafe plain(cell.bytes)
        case .text: unsafe string(cell.bytes)
        case .version:
            let wire = Version(counter: cell.whole).wireBytes
            raw(UInt8(ascii: "\""))
            unsafe wire.span.withUnsafeBufferPointer { unsafe raw($0) }
            raw(UInt8(ascii: "\""))
        case .instant:
            let wire = Instant(milliseconds: cell.whole).wireBytes
            raw(UInt8(ascii: "\""))
            unsafe wire.span.withUnsafeBufferPointer { unsafe raw($0) }
            raw(UInt8(ascii: "\""))
        }
    }
}
