import JSONText
import Testing
import WireTesting

@Suite struct `Queries of the client suites` {
    @Test(arguments: TestDatabase.all)
    func `the seeded movies are those that every suite knows`(on database: TestDatabase) async throws {
        try await SuiteClient.with(database) { client in
            for (table, first, last) in [
                ("movies", "Movie 000", "Movie 247"), ("intIdMovies", "1", "248"),
                ("stringIdMovies", "Movie 000", "Movie 247"),
            ] {
                let rows = try client.rows(table)
                #expect(rows.count == 248)
                #expect(rows.first?["id"]?.text == first && rows.last?["id"]?.text == last)
                #expect(rows.first?["title"] == .string("The Shawshank Redemption"))
                #expect(rows.last?["title"] == .string("Rio Bravo"))
                #expect(rows.first?["releaseDate"] == .string("1994-10-14T00:00:00.000Z"))
                #expect(rows.filter { $0["bestPictureWinner"] == .boolean(true) }.count == 38)
                for (rating, count) in [("R", 94), ("PG", 36), ("PG-13", 28), ("G", 9), ("TV-14", 3), ("NC-17", 1)] {
                    #expect(
                        try client.rows("\(table)?$filter=mpaaRating%20eq%20'\(rating)'").count == count, "\(rating)")
                }
                #expect(try client.rows("\(table)?$filter=mpaaRating%20eq%20null").count == 74)
            }
            #expect(try client.rows("movies?$filter=startswith(id,'Movie%2012')").count == 10)
        }
    }

    /// What the notes on the suites say of each, with the number of rows where they or the data tell it.
    private static let filters: [(filter: String, count: Int)] = [
        ("year gt 1979 and year le 1989", 0), ("duration lt 90", 0), ("not(duration lt 90)", 0),
        ("bestPictureWinner eq true", 38), ("bestPictureWinner", 38), ("not(bestPictureWinner)", 210),
        ("mpaaRating ne null and mpaaRating eq 'PG-13'", 28), ("startswith(title,'The')", 0),
        ("endswith(title,'r') and (year ge 1990)", 0), ("substringof('one',tolower(title))", 0),
        ("indexof(tolower(title),'x') gt 0", 0), ("length(title) ge 30", 0), ("toupper(mpaaRating) eq 'R'", 94),
        ("concat(title,'!') eq 'Rio Bravo!'", 1), ("replace(title,'Rio','Big') eq 'Big Bravo'", 1),
        ("trim(title) eq 'Rio Bravo'", 1), ("substring(title,0,3) eq 'Rio'", 1), ("substring(title,4) eq 'Bravo'", 1),
        ("year div 1000.5 eq 2", 0), ("floor(duration div 60d) eq 2", 0), ("ceiling(duration div 60.0) eq 2", 0),
        ("round(duration div 60.0) eq 2", 0), ("year(releaseDate) eq 1994", 0), ("month(releaseDate) eq 11", 0),
        ("day(releaseDate) eq 14", 0),
        ("releaseDate gt datetime'1972-01-01T00:00:00.000Z' and releaseDate lt datetime'1973-01-01T00:00:00.000Z'", 0),
        ("releaseDate eq datetimeoffset'1994-10-14T00:00:00.0000000+00:00'", 0), ("(year mod 10) eq 4", 0),
    ]

    @Test(arguments: TestDatabase.all)
    func `both tables answer every filter alike, as counted from the rows`(on database: TestDatabase) async throws {
        try await SuiteClient.with(database) { client in
            for (filter, count) in Self.filters {
                let texts = try client.rows("movies?$filter=\(filter.encoded)&$orderby=title").map { $0["title"] }
                let numbers = try client.rows("intIdMovies?$filter=\(filter.encoded)&$orderby=title").map {
                    $0["title"]
                }
                #expect(texts == numbers, "\(filter)")
                #expect(!texts.isEmpty && texts.count < 248, "\(filter)")
                if count > 0 { #expect(texts.count == count, "\(filter)") }
            }
            let titles = try client.rows("movies?$filter=\("year div 1000.5 eq 2".encoded)").compactMap {
                $0["year"]?.text
            }
            #expect(!titles.isEmpty && titles.allSatisfy { $0 == "2001" })
        }
    }

    @Test(arguments: TestDatabase.all)
    func `pages, counts, orders and selections are as asked`(on database: TestDatabase) async throws {
        try await SuiteClient.with(database) { client in
            #expect(try client.exchange("GET", "movies?$top=1001").code == 400)
            #expect(try client.exchange("GET", "movies?$top=1000000").code == 400)
            #expect(try client.rows("movies?$top=500").count == 248)
            #expect(try client.rows("movies?$filter=\("year gt 1950".encoded)").count > 50)
            #expect(try client.exchange("GET", "movies?$skip=500").text == "[]")
            #expect(
                try client.exchange("GET", "movies?$top=0&$inlinecount=allpages").text == #"{"results":[],"count":248}"#
            )
            let page = try client.exchange("GET", "movies?$skip=10&$top=5&$inlinecount=allpages&$orderby=id")
            #expect(try page.rows.map { $0["id"]?.text } == (10..<15).map { "Movie 0\($0)" })
            #expect(try page.row["count"]?.text == "248")
            let ordered = try client.rows("movies?$orderby=\("year desc,Title,duration desc".encoded)&$top=248")
            let years = ordered.compactMap { $0["year"]?.text }.compactMap { Int($0) }
            #expect(years.count == 248 && years == years.sorted(by: >) && years.first == 2012)
            let selected = try client.rows("movies?$filter=\("YEAR eq 1994".encoded)&$select=TITLE,year")
            #expect(!selected.isEmpty && selected.allSatisfy { Set($0.keys) == ["title", "year"] })
        }
    }
}
