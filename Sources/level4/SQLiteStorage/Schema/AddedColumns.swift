import TableSQL
import Tables

extension SQLiteConnection {
    /// Adds columns to a table, inside a transaction that is rolled back if this fails.
    ///
    /// SQLite's statement adds a single column, and rereads the whole schema afterwards. So it adds only the first; the
    /// others are inserted into the table's definition after that one, which is then read once
    /// (sqlite.org/lang_altertable.html#otheralter). A definition that SQLite can't read fails here.
    func addColumns(_ columns: [Column], to table: Identifier) throws(TableError) {
        guard let first = columns.first else { return }
        let before = try definition(of: table)
        try run(AddColumnsStatement([first], to: table, dialect: SQLiteDialect()).sql.text)
        let rest = columns.dropFirst()
        guard !rest.isEmpty else { return }
        let wider = Self.definition(try definition(of: table), with: rest, behind: first, addedTo: before)
        if let wider {
            try replaceDefinition(of: table, by: wider)
        } else {
            for column in rest {
                try run(AddColumnsStatement([column], to: table, dialect: SQLiteDialect()).sql.text)
            }
        }
        let schema = try schema(of: table)
        guard columns.allSatisfy({ schema?.columns.contains($0) == true }) else {
            throw .failed(detail: "columns of \(table) were not added as they should")
        }
    }

    private func definition(of table: Identifier) throws(TableError) -> [UInt8] {
        let made = try rows(
            "SELECT sql FROM sqlite_master WHERE type = 'table' AND name = ?1 COLLATE NOCASE", [.text(table.text)])
        return Array((made.first?.words(0) ?? "").utf8)
    }

    /// Returns the definition with more columns after one that was added; nil if that one can't be found.
    private static func definition(
        _ text: [UInt8], with columns: ArraySlice<Column>, behind first: Column, addedTo before: [UInt8]
    ) -> String? {
        let added = member(first)
        guard text.count == before.count + added.count else { return nil }
        let common = zip(text, before).prefix { $0 == $1 }.count
        for start in stride(from: common, through: max(common - added.count, 0), by: -1) {
            let end = start + added.count
            guard text[start..<end].elementsEqual(added), text[end...].elementsEqual(before[start...]) else { continue }
            var wider = Array(text[..<end])
            for column in columns { wider += member(column) }
            return String(decoding: wider + text[end...], as: UTF8.self)
        }
        return nil
    }

    /// Returns a column as it follows others. Its name has only letters, digits and underscores.
    private static func member(_ column: Column) -> [UInt8] {
        Array(", \"\(column.name.text)\" \(SQLiteDialect().typeName(of: column.type))".utf8)
    }

    private func replaceDefinition(of table: Identifier, by text: String) throws(TableError) {
        // Such pragmas take effect when they are prepared, so they must not come from the cache.
        try run(script: "PRAGMA writable_schema = ON")
        do throws(TableError) {
            try run(
                "UPDATE sqlite_master SET sql = ?1 WHERE type = 'table' AND name = ?2 COLLATE NOCASE",
                [.text(text), .text(table.text)])
        } catch {
            try run(script: "PRAGMA writable_schema = RESET")
            throw error
        }
        // Also rereads the schema. Other connections do so since the first column was added.
        try run(script: "PRAGMA writable_schema = RESET")
    }
}
