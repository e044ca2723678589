import Foundation
import JSONText
import Testing
import WireTesting

/// A query of the Datasync suites with what it has to answer.
struct DatasyncQuery: Sendable {
    let text: String
    /// The table's name before the question mark.
    let table: String
    /// The query as the suites write it, not encoded.
    let query: String
    /// The header fields that the query needs.
    let fields: [String]
    /// The count that is asserted; nil where none is asked for.
    let total: Int?
    /// Rows in the answer, or words about pages or an error.
    let returned: String
    let firstIDs: [String]
    let model: String
    /// The members of the link, decoded; empty where there is none.
    let nextMembers: [String]

    /// The queries of a model that this server can be asked: not those of the view that answers 451.
    static func all(_ model: String) throws -> [DatasyncQuery] {
        let path = "\(Fixture.path)/../../Data/movie-queries.tsv"
        return try Fixture.text(of: path).split(separator: "\n").dropFirst().compactMap { line in
            let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard cells[0] == "v3", cells[5] == model, !cells[1].hasPrefix("movies_legal") else { return nil }
            return DatasyncQuery(cells)
        }
    }

    private init(_ cells: [String]) {
        text = cells[1]
        let parts = text.components(separatedBy: " [")
        switch parts.count > 1 ? parts[1] : "" {
        case "": fields = []
        case "authenticated]": fields = ["X-ZUMO-MASTER: \(DatasyncTables.masterKey)"]
        case "X-Auth failed]": fields = ["X-ZUMO-AUTH: failed"]
        case let field: fields = [String(field.dropLast())]
        }
        let halves = parts[0].split(separator: "?", maxSplits: 1).map(String.init)
        table = DatasyncTables.name(of: halves[0], for: parts[0])
        query = halves.count > 1 ? halves[1] : ""
        total = Int(cells[2])
        returned = cells[3]
        firstIDs = cells[4].split(separator: ",").map(String.init)
        model = cells[5]
        nextMembers = cells[7].dropFirst().split(separator: "&").map(String.init)
    }

    /// The columns that each row has; nil for all.
    var selected: Set<String>? {
        query.split(separator: "&").first { $0.hasPrefix("$select=") }
            .map { Set($0.dropFirst("$select=".count).split(separator: ",").map(String.init)) }
    }
}

/// The tables of the Datasync suites.
enum DatasyncTables {
    static let masterKey = "the-key-of-the-suites"

    /// What a table of the suites is called here.
    static func name(of table: String, for query: String) -> String {
        switch table {
        case "movies_pagesize", "movies_pagesize25": "pagesize25"
        case "movies_softdelete": "soft"
        case "movies_rated": "rated"
        case "kitchensink" where query.contains(" in ("): "countries"
        default: table
        }
    }

    /// Fills the tables of a model over the wire.
    static func fill(_ client: WireClient, model: String) throws {
        func insert(_ body: String, into table: String) throws {
            let response = try client.exchange("POST", "/tables/\(table)", body, ["ZUMO-API-VERSION: 3.0.0"])
            try #require(response.code == 201, "\(response.text)")
        }
        for movie in try Movie.all() {
            let body = movie.datasyncBody(model: model)
            for table in ["movies", "pagesize25", "soft"] { try insert(body, into: table) }
            guard movie.isRestricted else { continue }
            // The view holds these rows only.
            if model == "ms" { try insert(body, into: "rated") }
            let deleted = try client.exchange(
                "DELETE", "/tables/soft/\(movie.id)", "", ["ZUMO-API-VERSION: 3.0.0"])
            try #require(deleted.code == 204)
        }
        for day in 0..<365 {
            let (date, time) = Self.dateAndTime(ofDay: day)
            let number = String(repeating: "0", count: 3 - String(day).count) + String(day)
            try insert(
                #"{"id":"id-\#(number)","dateOnlyValue":"\#(date)","timeOnlyValue":"\#(time)"}"#, into: "kitchensink")
            try insert(#"{"id":"dtm-\#(number)","dateOnly":"\#(date)","timeOnly":"\#(time)"}"#, into: "datetime")
        }
        for country in ["IT", "GR", "EG", "US"] { try insert(#"{"id":"\#(country)"}"#, into: "countries") }
    }

    /// A day of 2022, and its month and day read as hours and minutes.
    private static func dateAndTime(ofDay day: Int) -> (date: String, time: String) {
        let lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        var (month, rest) = (0, day)
        while rest >= lengths[month] {
            rest -= lengths[month]
            month += 1
        }
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return ("2022-\(two(month + 1))-\(two(rest + 1))", "\(two(month + 1)):\(two(rest + 1)):00")
    }
}

/// The shapes of a link, by the clients that can follow them.
enum LinkShape: CaseIterable, Sendable {
    case query, path, absolute

    /// What such a client sends with every request.
    var fields: [String] {
        switch self {
        case .query: ["ZUMO-API-VERSION: 3.0.0"]
        case .path: ["ZUMO-API-VERSION: 3.0.0", "X-ZUMO-VERSION: Datasync/6.1.1", "X-ZUMO-Options: nextLink=path"]
        case .absolute: ["ZUMO-API-VERSION: 3.0.0", "X-ZUMO-VERSION: Datasync/6.0.6"]
        }
    }

    /// The target that such a client asks for next.
    /// - Returns: nil where the link has another shape.
    func target(of link: String, from table: String) -> String? {
        switch self {
        case .query:
            // The client splits at `?` and hands the rest on as it is.
            link.contains { "?#+'/ ".contains($0) } ? nil : "/tables/\(table)?\(link)"
        case .path:
            link.hasPrefix("/tables/\(table)?") ? link : nil
        case .absolute:
            link.hasPrefix("http://localhost/tables/\(table)?") ? String(link.dropFirst("http://localhost".count)) : nil
        }
    }

    /// The members of a target's query, decoded, without the server's own.
    static func members(of target: String) -> [String] {
        target.split(separator: "?", maxSplits: 1).last.map(String.init)?.split(separator: "&")
            .compactMap { String($0).removingPercentEncoding }.filter { !$0.hasPrefix("$skiptoken=") } ?? []
    }
}

extension WireResponse {
    /// The rows of a v3 list.
    var items: [Row] {
        get throws {
            guard case .array(let elements)? = try row["items"] else { return [] }
            return elements.map(\.row)
        }
    }
}
