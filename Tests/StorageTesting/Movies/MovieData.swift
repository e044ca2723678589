import Foundation
import OData
import Tables

/// The movies of the upstream suites and the queries over them, from `Tests/Data`.
enum MovieData {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Data").standardizedFileURL

    static func movies() throws -> [[String: Value]] {
        try lines(of: "movies.jsonl").map { line in
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
            var movie: [String: Value] = [:]
            for (name, value) in object {
                switch value {
                case let text as String: movie[name] = .text(text)
                case let number as NSNumber where name == "bestPictureWinner": movie[name] = .boolean(number.boolValue)
                case let number as NSNumber: movie[name] = .integer(number.int64Value)
                default: movie[name] = .null
                }
            }
            return movie
        }
    }

    static func lines(of name: String) throws -> [String] {
        try String(contentsOf: folder.appending(path: name), encoding: .utf8).split(separator: "\n").map(String.init)
    }
}

/// A row of `movie-queries.tsv`.
struct MovieQuery: CustomStringConvertible {
    let language: QueryLanguage
    /// The table's name before the question mark.
    let table: String
    let members: [(name: String, value: String)]
    /// A request header that the row asks for.
    let header: String
    let total: Int64?
    let returned: String
    let firstIDs: [String]
    let model: String
    let nextLink: String
    let text: String

    var description: String { "\(model): \(text)" }

    static func all() throws -> [MovieQuery] {
        try MovieData.lines(of: "movie-queries.tsv").dropFirst().compactMap { line in
            let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard cells.count >= 8, let language = QueryLanguage(rawValue: cells[0]) else { return nil }
            return MovieQuery(cells, language)
        }
    }

    private init(_ cells: [String], _ language: QueryLanguage) {
        self.language = language
        text = cells[1]
        let parts = text.components(separatedBy: " [")
        header = parts.count > 1 ? parts[1] : ""
        let halves = parts[0].split(separator: "?", maxSplits: 1).map(String.init)
        table = halves[0]
        members = (halves.count > 1 ? halves[1] : "").split(separator: "&").map { member in
            let sides = member.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            return (sides[0], sides.count > 1 ? sides[1] : "")
        }
        total = Int64(cells[2])
        returned = cells[3]
        firstIDs = cells[4].split(separator: ",").map(String.init)
        model = cells[5]
        nextLink = cells[7]
    }
}
