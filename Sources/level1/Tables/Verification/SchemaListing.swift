/// The objects of a database's schema by name, each with its definition: comparing two listings shows what changed.
public struct SchemaListing: Sendable, Equatable {
    private var entries: [String: String] = [:]

    /// Creates an empty listing.
    public init() {}

    /// Adds an object.
    /// - Parameter name: its kind and name, such as `index a`; a column is `column TABLE.NAME`.
    public mutating func add(_ name: String, _ definition: String) {
        entries[name] = definition
    }

    /// Returns what was added or changed since another listing, as text, by name.
    public func changes(since before: SchemaListing) -> [String] {
        let made = Set(entries.keys.filter { before.entries[$0] == nil })
        return entries.keys.sorted().compactMap { name in
            guard made.contains(name) else {
                return before.entries[name] == entries[name] ? nil : "changes the \(name)"
            }
            // A new table's columns are part of it.
            if name.hasPrefix("column "), let dot = name.firstIndex(of: "."),
                made.contains("table \(name[..<dot].dropFirst("column ".count))")
            {
                return nil
            }
            if name.hasPrefix("migration ") { return "runs the \(name)" }
            return name.hasPrefix("rules ") ? "notes the \(name)" : "makes the \(name)"
        }
    }
}
