import SchemaFiles

/// A step of the database's own schema: a file of `Migrations`, embedded in the program. A released migration never
/// changes; new ones are added instead.
public struct Migration: Sendable {
    /// Its number, counted from 1, as in the file's name.
    public let number: Int
    /// The file's name without its extension.
    public let name: String
    /// The SQL statements.
    public let script: String

    /// The migrations of SQLite's schema, oldest first.
    public static let sqlite = all("sqlite/")
    /// The migrations of PostgreSQL's schema, oldest first.
    public static let postgres = all("postgres/")

    private static func all(_ folder: String) -> [Migration] {
        SchemaFile.all(folder).enumerated().map { place, file in
            let name = file.name.dropFirst(folder.utf8.count).dropLast(".sql".utf8.count)
            return Migration(number: place + 1, name: String(name), script: String(decoding: file.bytes, as: UTF8.self))
        }
    }
}

/// A file for the SQL layer, embedded by the C compiler (`scripts/list-embedded-files`).
struct SchemaFile {
    let name: String
    let bytes: [UInt8]

    /// Returns the files whose names have a prefix, in the order of their names.
    static func all(_ beginning: String) -> [SchemaFile] {
        (0..<schema_file_count()).compactMap { place in
            let file = unsafe schema_file(place)
            let name = unsafe String(cString: file.name)
            guard name.hasPrefix(beginning) else { return nil }
            return unsafe SchemaFile(
                name: name,
                bytes: Array(UnsafeBufferPointer(start: file.bytes, count: Int(file.length))))
        }
    }
}
