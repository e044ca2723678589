import Scalars
import Tables

/// The tables that the upstream suites query, in one database.
struct MovieTables {
    let store: any TableStore

    /// - Parameter model: the suites: `ct` and `ms` are of v3 servers, the latter of v2 ones too, `legacy` is of v2.
    static func open(_ model: String, on bench: Bench) async throws -> MovieTables {
        let tables = MovieTables(store: try await bench.open(definitions(model)))
        for movie in try MovieData.movies() { try await tables.insert(movie, model) }
        if model != "legacy" { try await tables.insertDays() }
        return tables
    }

    /// The table that a query of the list means; nil where there is none.
    func table(_ query: MovieQuery) -> Table? {
        let name =
            switch query.table {
            case "movies_pagesize", "movies_pagesize25", "movies_rated": "movies"
            case "movies_softdelete": "soft"
            case "kitchensink" where query.text.contains(" in ("): "countries"
            default: query.table
            }
        return Identifier(name).flatMap(store.table(named:))
    }

    private static func definitions(_ model: String) -> [TableDefinition] {
        let columns: [Column] = [
            Column("title", .string), Column("year", .integer), Column("duration", .integer),
            Column("bestPictureWinner", .boolean), Column("releaseDate", model == "ct" ? .dateOnly : .date),
            Column(model == "legacy" ? "mpaaRating" : "rating", .string),
        ]
        var soft = TableDefinition(name: "soft", columns: columns)
        soft.rules.softDelete = true
        var numbered = TableDefinition(name: "intIdMovies", columns: columns)
        numbered.rules.autoIncrement = true
        return [
            TableDefinition(name: "movies", columns: columns), soft, numbered,
            TableDefinition(
                name: "kitchensink", columns: [Column("dateOnlyValue", .dateOnly), Column("timeOnlyValue", .timeOnly)]),
            TableDefinition(name: "datetime", columns: [Column("dateOnly", .dateOnly), Column("timeOnly", .timeOnly)]),
            TableDefinition(name: "countries"),
        ]
    }

    private func insert(_ movie: [String: Value], _ model: String) async throws {
        let rating =
            switch model {
            case "ct": movie["ratingV3"]
            case "ms": movie["ratingV3"] == .text("Unrated") ? Value.null : movie["ratingV2"]
            default: movie["legacyMpaaRating"]
            }
        let properties = [
            Property("title", movie["title"] ?? .null), Property("year", movie["year"] ?? .null),
            Property("duration", movie[model == "legacy" ? "legacyDuration" : "duration"] ?? .null),
            Property("bestPictureWinner", movie["bestPictureWinner"] ?? .null),
            Property("releaseDate", movie["releaseDate"] ?? .null),
            Property(model == "legacy" ? "mpaaRating" : "rating", rating ?? .null),
        ]
        guard case .text(let id) = movie[model == "legacy" ? "v2Id" : "id"] else { return }
        for name in ["movies", "soft"] { try await insert(properties, id: .text(id), in: name) }
        if model == "legacy" { try await insert(properties, id: nil, in: "intIdMovies") }
        if rating == .text("R"), let soft = store.table(named: "soft") {
            _ = try await store.delete(.text(id), if: .none, in: soft, into: RecordedRows())
        }
    }

    /// 365 days of 2022; each row's time is its month and day read as hours and minutes.
    private func insertDays() async throws {
        for day in 0..<365 {
            let date = Instant(milliseconds: 1_640_995_200_000 + Int64(day) * 86_400_000).dayText
            let time = date.dropFirst(5).replacing("-", with: ":") + ":00"
            let number = String(repeating: "0", count: 3 - String(day).count) + String(day)
            let (dayValue, timeValue) = (Value.text(date), Value.text(String(time)))
            try await insert(
                [Property("dateOnlyValue", dayValue), Property("timeOnlyValue", timeValue)],
                id: .text("id-\(number)"), in: "kitchensink")
            try await insert(
                [Property("dateOnly", dayValue), Property("timeOnly", timeValue)], id: .text("dtm-\(number)"),
                in: "datetime")
        }
        for country in ["IT", "GR", "EG", "US"] { try await insert([], id: .text(country), in: "countries") }
    }

    private func insert(_ properties: [Property], id: RowID?, in name: String) async throws {
        guard let table = Identifier(name).flatMap(store.table(named:)) else { return }
        _ = try await store.insert(properties, id: id, deleted: false, scope: nil, in: table, into: RecordedRows())
    }
}
