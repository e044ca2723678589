import OData
import Synchronization
import Tables

/// A cache of the texts of writes: another row with the same columns only needs new bindings.
///
/// It is shared by all stores of a process, which have no tables in common.
final class WriteTexts: Sendable {
    static let shared = WriteTexts()

    private struct Entry {
        /// Retained, so that no other table gets its address.
        let table: Table
        let text: String
    }

    /// The number of texts to keep. If it is exceeded, all are dropped.
    private static let capacity = 512
    /// The maximum size of a cached text in bytes: clients choose which columns they send.
    private static let longest = 8 << 10

    private let entries = Mutex<[WriteShape: Entry]>([:])

    /// The number of texts currently kept.
    var count: Int { entries.withLock { $0.count } }

    /// - Parameters:
    ///   - shape: identifies everything about a statement except its values.
    ///   - build: appends the statement; if the text is known, only its bindings matter.
    func statement(
        _ shape: WriteShape, of table: Table, dialect: any SQLDialect,
        _ build: (inout SQLBuilder) throws(QueryError) -> Void
    ) throws(QueryError) -> SQLText {
        let known = entries.withLock { $0[shape]?.text }
        var builder = SQLBuilder(dialect, writesText: known == nil)
        try build(&builder)
        if let known { return SQLText(known, builder.bindings) }
        let sql = builder.build()
        guard sql.text.utf8.count <= Self.longest else { return sql }
        entries.withLock { entries in
            if entries.count >= Self.capacity { entries.removeAll() }
            entries[shape] = Entry(table: table, text: sql.text)
        }
        return sql
    }
}

/// Everything that determines the text of a write: the table, and the columns with the types of their values, for which
/// a dialect may have different placeholders.
struct WriteShape: Hashable {
    private let dialect: ObjectIdentifier
    private let table: ObjectIdentifier
    private var bytes: [UInt8] = []

    init(_ table: Table, dialect: any SQLDialect) {
        self.dialect = ObjectIdentifier(type(of: dialect))
        self.table = ObjectIdentifier(table)
        bytes.reserveCapacity(128)
    }

    mutating func append(_ mark: UInt8) {
        bytes.append(mark)
    }

    mutating func append(_ value: Value) {
        let mark: UInt8 =
            switch value {
            case .null: 0
            case .boolean: 1
            case .integer: 2
            case .number: 3
            case .decimal: 4
            case .text: 5
            case .date: 6
            }
        bytes.append(mark)
    }

    /// Appends a column and its value; names never contain NUL.
    mutating func append(_ name: String, _ value: Value) {
        bytes.append(contentsOf: name.utf8)
        bytes.append(0)
        append(value)
    }
}
