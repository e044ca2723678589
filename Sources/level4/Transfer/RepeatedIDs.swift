import Operating
import Tables

/// Finds ids that the files of an import have twice. It keeps eight bytes per row; the ids themselves only of rows that
/// are suspected.
struct RepeatedIDs {
    private var hashes: [Identifier: [Int]] = [:]
    private var places: [Identifier: [RowID: String]] = [:]

    /// Notes the id of a row, in a first pass over all rows.
    mutating func note(_ id: RowID, of table: Identifier) {
        hashes[table, default: []].append(id.hashValue)
    }

    /// Ends the first pass.
    /// - Returns: whether a second one is needed.
    mutating func findSuspects() -> Bool {
        for table in Array(hashes.keys) {
            let sorted = hashes.removeValue(forKey: table)?.sorted() ?? []
            let repeated = zip(sorted, sorted.dropFirst()).filter { $0 == $1 }.map(\.0)
            if !repeated.isEmpty { hashes[table] = repeated }
        }
        return !hashes.isEmpty
    }

    /// Looks at a row in the second pass.
    /// - Returns: where the same id was before.
    mutating func place(before place: String, of id: RowID, in table: Identifier) -> String? {
        guard let suspects = hashes[table], suspects.containsSorted(id.hashValue) else { return nil }
        if let first = places[table]?[id] { return first }
        places[table, default: [:]][id] = place
        return nil
    }
}

extension [Int] {
    fileprivate func containsSorted(_ number: Int) -> Bool {
        var (first, end) = (0, count)
        while first < end {
            let middle = (first + end) / 2
            if self[middle] < number { first = middle + 1 } else { end = middle }
        }
        return first < count && self[first] == number
    }
}
