import TableSQL
import Tables

/// A connection's statements that find a row by its id, by table: building the text of such a statement each time would
/// take a quarter of the whole read.
struct FindStatementCache {
    private let capacity: Int
    private var entries: [Key: Entry] = [:]

    private struct Key: Hashable {
        let table: ObjectIdentifier
        let includeDeleted: Bool
    }

    private struct Entry {
        /// Retained so that no other table gets its identity.
        let table: Table
        let statement: SQLiteStatement
    }

    init(capacity: Int) {
        self.capacity = capacity
    }

    subscript(table: Table, includeDeleted includeDeleted: Bool) -> SQLiteStatement? {
        entries[Key(table: ObjectIdentifier(table), includeDeleted: includeDeleted)]?.statement
    }

    mutating func keep(_ statement: SQLiteStatement, for table: Table, includeDeleted: Bool) {
        // There are few tables; the cache fills up with their earlier states, which had fewer columns.
        if entries.count >= capacity { entries.removeAll() }
        let key = Key(table: ObjectIdentifier(table), includeDeleted: includeDeleted)
        entries[key] = Entry(table: table, statement: statement)
    }
}
