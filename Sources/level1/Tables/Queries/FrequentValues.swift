import ByteText
public import OData
import Scalars

/// Counts the values of a column in the rows of a list: a visitor of a list of that column alone.
///
/// It is full once it holds so many bytes that the remaining rows aren't worth the memory.
public struct FrequentValues: RowVisitor {
    /// A value with the number of rows that have it.
    public struct Entry: Sendable, Equatable {
        /// The value. Dates and other values without a JSON type of their own are text in the wire form.
        public let value: Value
        /// The number of rows that have it.
        public let count: Int

        /// Creates an entry.
        public init(_ value: Value, _ count: Int) {
            self.value = value
            self.count = count
        }
    }

    /// The maximum number of rows that are looked at, the newest ones.
    public static let rowLimit = 10_000
    /// The maximum number of values that are returned.
    public static let valueLimit = 20
    /// The maximum total size of the different texts that are kept, in bytes.
    private static let byteLimit = 16 << 20

    private var counts: [Cell: Int] = [:]
    private var bytes = 0

    /// Creates an empty count.
    public init() {}

    /// Returns the query for the rows in which the values of a column are counted: the newest matching ones, in the
    /// order of the index used for pulls.
    public static func query(
        of column: String, under filter: Expression? = nil, includingDeleted: Bool = false
    ) -> TableQuery {
        var query = TableQuery(limit: rowLimit)
        query.filter = filter
        query.includeDeleted = includingDeleted
        query.order = ["updatedAt", "id"].map { OrderTerm(.column($0, at: 0), isDescending: true) }
        query.select = [SelectedName(column, at: 0)]
        return query
    }

    /// The most frequent values. Equally frequent ones are ordered by value: null, false and true, numbers, then text
    /// by code point.
    public var entries: [Entry] {
        counts.sorted { $0.value == $1.value ? $0.key < $1.key : $0.value > $1.value }
            .prefix(Self.valueLimit).map { Entry($0.key.value, $0.value) }
    }

    /// Whether no more rows are accepted.
    public var isFull: Bool { bytes > Self.byteLimit }

    private mutating func count(_ cell: Cell) {
        if counts[cell] == nil, case .text(let text) = cell { bytes += text.count }
        counts[cell, default: 0] += 1
    }

    /// Does nothing: there is one column.
    public mutating func begin(_ layout: RowLayout) {}
    /// Does nothing: the cells identify the rows.
    public mutating func beginRow() {}
    /// Does nothing.
    public mutating func endRow() {}
    /// Counts a cell: a decimal by its digits, as `1.1` and `1.10` are two, and a version as the text that clients
    /// know.
    public mutating func visit(_ cell: RowCell) {
        switch cell.kind {
        case .null: count(.null)
        case .boolean: count(.boolean(cell.isTrue))
        case .integer: count(.integer(cell.whole))
        case .number: count(.number(cell.number))
        case .decimal: count(.decimal(cell.withText { $0.array }))
        case .text, .version, .instant: count(.text(cell.withText { $0.array }))
        }
    }
}

extension FrequentValues {
    /// A cell as received. Text is bytes, since strings with different code points may be equal.
    fileprivate enum Cell: Hashable, Comparable {
        case null
        case boolean(Bool)
        case integer(Int64)
        case number(Double)
        case decimal([UInt8])
        case text([UInt8])

        var value: Value {
            switch self {
            case .null: .null
            case .boolean(let value): .boolean(value)
            case .integer(let value): .integer(value)
            case .number(let value): .number(value)
            case .decimal(let digits): DecimalNumber(digits.text).map(Value.decimal) ?? .text(digits.text)
            case .text(let bytes): .text(bytes.text)
            }
        }

        private var rank: Int {
            switch self {
            case .null: 0
            case .boolean: 1
            case .integer, .number, .decimal: 2
            case .text: 3
            }
        }

        /// The number as the nearest double.
        private var size: Double {
            switch self {
            case .integer(let value): Double(value)
            case .number(let value): value
            case .decimal(let digits): Double(digits.text) ?? 0
            case .null, .boolean, .text: 0
            }
        }

        static func < (left: Self, right: Self) -> Bool {
            switch (left, right) {
            case (.boolean(let left), .boolean(let right)): return !left && right
            case (.integer(let left), .integer(let right)): return left < right
            case (.text(let left), .text(let right)): return left.lexicographicallyPrecedes(right)
            default: break
            }
            guard left.rank == right.rank, left.size == right.size else {
                return (left.rank, left.size) < (right.rank, right.size)
            }
            guard case .decimal(let left) = left, case .decimal(let right) = right else { return false }
            return left.lexicographicallyPrecedes(right)
        }
    }
}

extension [UInt8] {
    fileprivate var text: String { String(decoding: self, as: UTF8.self) }
}
