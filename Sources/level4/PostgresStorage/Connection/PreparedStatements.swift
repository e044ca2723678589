import ByteText

/// The statements that one connection has prepared, by their text, at most `capacity` of them.
struct PreparedStatements {
    private struct Entry {
        let name: String
        var lastUse: UInt64
    }

    private let capacity: Int
    private var entries: [ExactText: Entry] = [:]
    private var clock: UInt64 = 0

    init(capacity: Int) {
        self.capacity = capacity
    }

    /// Whether a statement is worth preparing: a long one, such as a script's INSERT of many rows, hardly ever comes
    /// again.
    static func takes(_ text: String) -> Bool {
        // To prepare BEGIN may have another statement deallocated first, behind which no isolation level can be set.
        text.utf8.count <= longest && !text.hasPrefix("BEGIN ")
    }

    private static let longest = 32 << 10

    /// The name of a prepared statement.
    mutating func name(of text: String) -> String? {
        clock += 1
        guard let index = entries.index(forKey: ExactText(text)) else { return nil }
        entries.values[index].lastUse = clock
        return entries.values[index].name
    }

    /// Assigns a new name to a statement.
    /// - Returns: the name, and that of the statement that has to make room for it.
    mutating func add(_ text: String) -> (name: String, evicted: String?) {
        clock += 1
        var evicted: String?
        if entries.count >= capacity, let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse }) {
            evicted = oldest.value.name
            entries.removeValue(forKey: oldest.key)
        }
        let name = "zumod\(clock)"
        entries[ExactText(text)] = Entry(name: name, lastUse: clock)
        return (name, evicted)
    }

    mutating func remove(_ text: String) {
        entries.removeValue(forKey: ExactText(text))
    }

    mutating func removeAll() {
        entries.removeAll()
    }
}
