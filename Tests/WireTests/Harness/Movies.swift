import JSONText

/// One row of the movie data.
struct Movie: Sendable {
    private let members: Row

    static func all() throws -> [Movie] {
        try Fixture.text(of: "\(Fixture.path)/movies.jsonl").split(separator: "\n").map {
            Movie(members: try JSONReader.parse(Array($0.utf8)).row)
        }
    }

    /// The row of the later .NET server's suites.
    var body: String {
        text(of: [
            ("id", "id"), ("title", "title"), ("year", "year"), ("duration", "duration"),
            ("bestPictureWinner", "bestPictureWinner"), ("releaseDate", "releaseDate"), ("rating", "ratingV3"),
        ])
    }

    var id: String { members["id"]?.text ?? "" }

    /// Whether its rating is R, as of those that the Datasync suites delete.
    var isRestricted: Bool { members["ratingV3"] == .string("R") }

    /// The row of the Datasync suites: `ct` rates every movie, `ms` leaves some unrated.
    func datasyncBody(model: String) -> String {
        let isUnrated = members["ratingV3"] == .string("Unrated")
        let rating = model == "ct" ? "ratingV3" : isUnrated ? "null" : "ratingV2"
        return text(of: [
            ("id", "id"), ("title", "title"), ("year", "year"), ("duration", "duration"),
            ("bestPictureWinner", "bestPictureWinner"), ("releaseDate", "releaseDate"),
            ("rating", rating),
        ])
    }

    /// The row of the end-to-end suites that the Azure servers shipped.
    func legacyBody(withID: Bool) -> String {
        let columns = [
            ("title", "title"), ("year", "year"), ("duration", "legacyDuration"),
            ("bestPictureWinner", "bestPictureWinner"), ("releaseDate", "releaseDate"),
            ("mpaaRating", "legacyMpaaRating"),
        ]
        return text(of: (withID ? [("id", "v2Id")] : []) + columns)
    }

    private func text(of columns: [(name: String, source: String)]) -> String {
        var json = JSONWriter()
        for (index, column) in columns.enumerated() {
            json.raw(index == 0 ? "{" : ",")
            json.string(column.name)
            json.raw(":")
            switch members[column.source] {
            case .string(let text): json.string(text)
            case .integer(let number): json.integer(number)
            case .boolean(let value): json.boolean(value)
            case .null, .number, .precise, .array, .object, nil: json.raw("null")
            }
        }
        json.raw("}")
        return String(decoding: json.bytes, as: UTF8.self)
    }
}

/// A query over the movies with what it has to answer.
struct MovieQuery: Sendable {
    let target: String
    /// The count that is asserted; empty where none is asked for.
    let total: String
    /// Rows in the answer, or words about an error.
    let returned: String
    /// The ids of the first rows, as the answer has them.
    let firstIDs: [String]
    let model: String
    /// Rows that match, before skip and top.
    let matching: Int?

    static func all() throws -> [MovieQuery] {
        try Fixture.text(of: "\(Fixture.path)/movie-queries.tsv").split(separator: "\n").dropFirst().map { line in
            let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            return MovieQuery(
                target: cells[1], total: cells[2], returned: cells[3],
                firstIDs: cells[4].split(separator: ",").map(answeredID), model: cells[5], matching: Int(cells[6]))
        }
    }

    /// `#0` stands for the first row of the file, to which the server gives the id 1.
    private static func answeredID(_ text: Substring) -> String {
        guard text.first == "#", let index = Int(text.dropFirst()) else { return String(text) }
        return String(index + 1)
    }

    private func option(_ name: String) -> Substring? {
        target.split(separator: "?").dropFirst().first?.split(separator: "&").first { $0.hasPrefix(name + "=") }?
            .dropFirst(name.count + 1)
    }

    var asksForCount: Bool { option("$inlinecount") == "allpages" }
    var hasTop: Bool { option("$top") != nil }
    var skip: Int { option("$skip").flatMap { Int($0) } ?? 0 }

    /// The columns that each row has, in their declared spelling; nil for all.
    var selected: Set<String>? {
        option("$select").map { Set($0.split(separator: ",").map { $0.prefix(1).lowercased() + $0.dropFirst() }) }
    }
}
