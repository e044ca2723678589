import JSONText
import Testing
import WireTesting

@Suite struct `Movie queries` {
    @Test(arguments: ["movies-ms", "movies-legacy"], TestDatabase.all)
    func `every query answers the rows that the Azure suites expect`(_ fixture: String, on database: TestDatabase)
        async throws
    {
        let model = String(fixture.dropFirst("movies-".count))
        let queries = try MovieQuery.all().filter { $0.model == model }
        try #require(queries.count == (model == "ms" ? 71 : 82))
        let movies = try Movie.all()
        try await TestServer.with(on: database, fixture: fixture) { server in
            let client = try WireClient(port: server.port)
            for (table, hasNumbers) in model == "ms" ? [("movies", false)] : [("movies", false), ("intIdMovies", true)]
            {
                for movie in movies {
                    let body = model == "ms" ? movie.body : movie.legacyBody(withID: !hasNumbers)
                    try #require(try client.exchange("POST", "/tables/\(table)", body).code == 201)
                }
            }
            for query in queries {
                try Self.check(query, client, .apps)
                try Self.check(query, client, .services)
            }
        }
    }

    /// The generations that share the language of these queries.
    private enum Asker: String {
        case apps = "ZUMO-API-VERSION: 2.0.0"
        /// Gets no links, and no columns of the server's.
        case services = "X-ZUMO-APPLICATION: key"
    }

    private static func check(_ query: MovieQuery, _ client: WireClient, _ asker: Asker) throws {
        let target = "/tables/" + query.target
        let response = try client.exchange("GET", target, "", [asker.rawValue])
        guard let expected = Int(query.returned) else {
            #expect(query.returned.hasPrefix("HTTP 4xx"), "\(query.target)")
            #expect((400..<500).contains(response.code), "\(query.target)")
            return
        }
        #expect(response.code == 200, "\(query.target)")
        let rows = try response.rows
        #expect(rows.count == expected, "\(query.target)")
        if query.asksForCount {
            #expect(try response.row["count"]?.text == query.total, "\(query.target)")
        }
        if let selected = query.selected {
            #expect(rows.allSatisfy { Set($0.keys) == selected }, "\(query.target)")
        } else {
            let first = rows.prefix(query.firstIDs.count).compactMap { $0["id"]?.text }
            #expect(first == query.firstIDs, "\(query.target)")
        }
        let isCut = query.matching.map { expected < $0 - query.skip } ?? false
        #expect((response["Link"] != nil) == (isCut && !query.hasTop && asker == .apps), "\(query.target)")
        #expect(rows.allSatisfy { asker == .apps || $0["version"] == nil }, "\(query.target)")
    }

    @Test(arguments: TestDatabase.all)
    func `a walk over the links finds every movie once`(on database: TestDatabase) async throws {
        let movies = try Movie.all()
        try await TestServer.with(on: database, fixture: "movies-ms") { server in
            let client = try WireClient(port: server.port)
            for movie in movies { _ = try client.exchange("POST", "/tables/movies", movie.body) }
            var path: String? = "/tables/movies?$inlinecount=allpages&$orderby=releaseDate desc"
            var ids: [String] = []
            while let target = path {
                let page = try client.exchange("GET", target)
                #expect(try page.row["count"]?.text == "248")
                ids += try page.rows.compactMap { $0["id"]?.text }
                path = page.nextPath
            }
            #expect(ids.count == 248)
            #expect(Set(ids).count == 248)
        }
    }
}
