import Foundation

/// Some of a fixture's tables and APIs, with their scripts, in the place of all: a worker that reads a hundred scripts and a
/// database that has a hundred tables cost a case more than what it asks of them.
struct FixtureParts: Hashable, Sendable {
    /// The folders that have a file or more for each table or API.
    static let folders = ["tables", "apis", "api"]
    static let nothing = FixtureParts(names: [])

    let names: Set<String>

    private init(names: Set<String>) {
        self.names = names
    }

    /// Those that a text names, and those that these name in turn, wherever in their files.
    init(namedBy text: String, in fixture: String) throws {
        let parts = try Self.all(in: fixture)
        var (found, unread) = (Set<String>(), [text])
        while let text = unread.popLast() {
            let words = Self.words(of: text)
            for (name, files) in parts where words.contains(name.lowercased()) && found.insert(name).inserted {
                unread += try files.map { try Fixture.text(of: $0) }
            }
        }
        names = found
    }

    /// Copies the files of these out of one of the folders.
    func copy(_ folder: String, to place: String) throws {
        let files = FileManager.default
        try files.createDirectory(atPath: place, withIntermediateDirectories: false)
        for file in try files.contentsOfDirectory(atPath: folder) where names.contains(Self.part(of: file)) {
            try files.copyItem(atPath: "\(folder)/\(file)", toPath: "\(place)/\(file)")
        }
    }

    /// The files of each part.
    private static func all(in fixture: String) throws -> [String: [String]] {
        let files = try folders.flatMap { folder -> [String] in
            let path = "\(fixture)/\(folder)"
            return try FileManager.default.fileExists(atPath: path)
                ? FileManager.default.contentsOfDirectory(atPath: path).map { "\(path)/\($0)" } : []
        }
        return Dictionary(grouping: files) { part(of: String($0.split(separator: "/").last ?? "")) }
    }

    /// What a file is of: `todo` of `todo.insert.js`.
    private static func part(of file: String) -> String {
        String(file.prefix { $0 != "." })
    }

    private static func words(of text: String) -> Set<String> {
        Set(text.lowercased().split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init))
    }
}
