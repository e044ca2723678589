import ByteText

/// The prepared statements of one connection by their text, at most `capacity` of them.
struct StatementCache {
    private let capacity: Int
    private var entries: [ExactText: Entry] = [:]
    private var clock: UInt64 = 0

    private struct Entry {
        let statement: SQLiteStatement
        var lastUse: UInt64
    }

    init(capacity: Int) {
        self.capacity = capacity
    }

    var count: Int { entries.count }

    mutating func statement(for text: String) -> SQLiteStatement? {
        clock += 1
        guard let index = entries.index(forKey: ExactText(text)) else { return nil }
        entries.values[index].lastUse = clock
        return entries.values[index].statement
    }

    /// Adds a statement. If the cache is full, it replaces the least recently used one.
    mutating func keep(_ statement: SQLiteStatement, for text: String) {
        clock += 1
        if entries.count >= capacity, let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse }) {
            entries.removeValue(forKey: oldest.key)
        }
        entries[ExactText(text)] = Entry(statement: statement, lastUse: clock)
    }
}
