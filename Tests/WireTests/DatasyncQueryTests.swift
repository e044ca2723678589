import JSONText
import Testing
import WireTesting

@Suite struct `Datasync queries` {
    struct Model: Sendable {
        let name: String
        let queries: Int
        let shapes: [LinkShape]

        static let all = [
            Model(name: "ct", queries: 375, shapes: [.query]),
            Model(name: "ms", queries: 455, shapes: [.absolute, .path]),
        ]
    }

    @Test(arguments: Model.all, TestDatabase.all)
    func `every query answers the rows that both suites expect`(_ model: Model, on database: TestDatabase)
        async throws
    {
        let queries = try DatasyncQuery.all(model.name)
        try #require(queries.count == model.queries)
        let lines = ["auth: { masterKey: \(DatasyncTables.masterKey) }"]
        try await TestServer.with(on: database, fixture: "datasync-\(model.name)", lines: lines) { server in
            let client = try WireClient(port: server.port)
            try DatasyncTables.fill(client, model: model.name)
            for (index, query) in queries.enumerated() {
                try Check(query: query, shape: model.shapes[index % model.shapes.count], client: client).run()
            }
        }
    }

    /// One query with what it has to answer.
    private struct Check {
        let query: DatasyncQuery
        let shape: LinkShape
        let client: WireClient

        private func get(_ target: String) throws -> WireResponse {
            try client.exchange("GET", target, "", shape.fields + query.fields)
        }

        private var first: String { "/tables/\(query.table)" + (query.query.isEmpty ? "" : "?\(query.query)") }

        func run() throws {
            let response = try get(first)
            if query.returned.hasPrefix("HTTP ") {
                #expect(query.returned == "HTTP \(response.code)", "\(query.text)")
                return
            }
            // A row holds no places, and the answer says so.
            if query.text.contains("geo.distance") {
                #expect(response.code == 400, "\(query.text)")
                return
            }
            #expect(response.code == 200, "\(query.text): \(response.text)")
            let body = try response.row
            #expect(Set(body.keys) == ["items", "count", "nextLink"])
            if let total = query.total {
                #expect(body["count"] == .integer(Int64(total)), "\(query.text)")
            } else if !query.query.contains("$count=true") {
                #expect(body["count"] == .null, "\(query.text)")
            }
            if let returned = Int(query.returned) {
                try checkPage(response, returned)
            } else {
                try checkWalk(response)
            }
        }

        private func checkPage(_ response: WireResponse, _ returned: Int) throws {
            let items = try response.items
            #expect(items.count == returned, "\(query.text)")
            if let selected = query.selected {
                #expect(items.allSatisfy { Set($0.keys) == selected }, "\(query.text)")
            } else if query.model != "ct" || !query.text.contains("$orderby=rating") {
                // The suite with an enumeration sorts it by its numbers, which names don't tell.
                let ids = items.prefix(query.firstIDs.count).compactMap { $0["id"]?.text }
                #expect(ids == query.firstIDs, "\(query.text)")
            }
            let link = try response.row["nextLink"]?.text
            #expect((link == nil) == query.nextMembers.isEmpty, "\(query.text)")
            guard let link else { return }
            let target = try #require(shape.target(of: link, from: query.table), "\(query.text): \(link)")
            #expect(LinkShape.members(of: target) == query.nextMembers, "\(query.text)")
        }

        /// `paged:N items in M pages` or `client-paged:N`.
        private func checkWalk(_ response: WireResponse) throws {
            let numbers = query.returned.split { !$0.isNumber }.compactMap { Int($0) }
            var page = response
            var ids = try page.items.compactMap { $0["id"]?.text }
            var pages = 1
            while let link = try page.row["nextLink"]?.text {
                let target = try #require(shape.target(of: link, from: query.table), "\(query.text): \(link)")
                page = try get(target)
                try #require(page.code == 200, "\(query.text): \(page.text)")
                ids += try page.items.compactMap { $0["id"]?.text }
                pages += 1
                try #require(pages < 100, "\(query.text)")
            }
            #expect(ids.count == numbers.first && Set(ids).count == ids.count, "\(query.text)")
            if numbers.count > 1 { #expect(pages == numbers[1], "\(query.text)") }
        }
    }
}
