import JSONText
import RouteDescription
import Testing
import WireTesting
import ZumoProtocol

@Suite struct `OpenAPI document` {
    private static let everything = Generation.allCases.flatMap { generation in
        TestDatabase.all.map { (generation, $0) }
    }

    /// What opens every operation.
    private static func keys(_ generation: Generation) throws -> [String] {
        ["X-ZUMO-MASTER: master", "X-ZUMO-AUTH: \(try APICaller.token("sid:1"))"] + mark(generation)
    }

    /// What tells the generation.
    private static func mark(_ generation: Generation) -> [String] {
        ["\(generation.mark.name): \(generation.version?.text.description ?? "a wrong key")"]
    }

    @Test(arguments: everything)
    func `holds together: references, names, parameters and schemes`(
        _ generation: Generation, on database: TestDatabase
    ) async throws {
        try await TestServer.with(on: database, fixture: "described") { server in
            let document = try APIDocument(generation.rawValue, port: server.port)
            #expect(document.json["openapi"] == "3.1.0")
            for reference in Set(document.references) {
                #expect(document.resolved(["$ref": .string(reference)]) != nil, "\(reference)")
                #expect(reference.wholeMatch(of: /#\/components\/[a-z]+\/[A-Za-z0-9._-]+/) != nil, "\(reference)")
            }
            let ids = document.operations.map(\.id)
            #expect(Set(ids).count == ids.count && !ids.contains(""))
            let schemes = Set(document.members(document.json["components"]?["securitySchemes"]).map(\.name))
            for operation in document.operations {
                let parameters = (operation.json["parameters"]?.elements ?? []).compactMap(document.resolved)
                let named = Set(parameters.filter { $0["in"] == "path" }.compactMap { $0["name"]?.textValue })
                let braced = operation.path.matches(of: /{([a-z]+)}/).map { String($0.output.1) }
                #expect(named == Set(braced), "\(operation.id)")
                let names = parameters.map { "\($0["in"]?.textValue ?? "") \($0["name"]?.textValue ?? "")" }
                #expect(Set(names).count == names.count, "\(operation.id)")
                for requirement in operation.json["security"]?.elements ?? [] {
                    #expect(schemes.isSuperset(of: document.members(requirement).map(\.name)))
                }
                #expect(!document.members(operation.json["responses"]).isEmpty)
            }
        }
    }

    @Test(arguments: everything)
    func `names the operations that the server does, and no other, with the answers that it gives`(
        _ generation: Generation, on database: TestDatabase
    ) async throws {
        try await TestServer.with(on: database, fixture: "described") { server in
            let document = try APIDocument(generation.rawValue, port: server.port)
            let client = try WireClient(port: server.port)
            let keys = try Self.keys(generation)
            let tables = Set(document.operations.filter { $0.path.hasPrefix("/tables/") }.map(\.path))
            #expect(tables.count == 20)
            for path in tables {
                for method in ["GET", "POST", "PUT", "PATCH", "DELETE"] {
                    let place = path.replacing("{id}", with: "77")
                    let response = try client.exchange(method, place, method == "GET" ? "" : #"{"id":"77"}"#, keys)
                    let operation = document.operations.first { $0.method == method && $0.path == path }
                    guard let operation else {
                        #expect((400..<500).contains(response.code), "\(method) \(path): \(response.text)")
                        continue
                    }
                    let types = document.types(operation, response.code)
                    #expect(types != nil, "\(method) \(path): \(response.code)")
                    #expect(response.code != 405, "\(method) \(path)")
                    if let type = response["Content-Type"], let types {
                        #expect(types.contains(String(type.prefix { $0 != ";" })), "\(method) \(path): \(type)")
                    }
                }
            }
        }
    }

    @Test(arguments: TestDatabase.all)
    func `leaves out what nobody may do`(on database: TestDatabase) async throws {
        try await TestServer.with(on: database, fixture: "described") { server in
            for generation in Generation.allCases {
                let document = try APIDocument(generation.rawValue, port: server.port)
                #expect(document.operation("GET", segments: ["tables", "closed"]) == nil)
                #expect(document.operation("GET", segments: ["tables", "keyed", "a"]) != nil)
                #expect(document.operation("DELETE", segments: ["tables", "keyed", "a"]) == nil)
            }
        }
    }

    @Test(arguments: everything)
    func `what it calls protected is 401 to strangers and to forged tokens`(
        _ generation: Generation, on database: TestDatabase
    ) async throws {
        try await TestServer.with(on: database, fixture: "described") { server in
            let document = try APIDocument(generation.rawValue, port: server.port)
            let client = try WireClient(port: server.port)
            let forged = "X-ZUMO-AUTH: \(try APICaller.token("sid:1", key: "another key that nobody knows"))"
            let protected = document.operations.filter(\.isProtected)
            #expect(protected.count >= 15)
            for operation in protected {
                // A row that is there and a body that fits: v3 looks at both before it looks at the caller.
                let path = operation.path.replacing("{id}", with: "a")
                let body = ["GET", "DELETE"].contains(operation.method) ? "" : #"{"id":"a","text":"seen"}"#
                for fields in [[], [forged], ["X-ZUMO-MASTER: x", forged], ["X-ZUMO-MASTER: x"]] {
                    let response = try client.exchange(
                        operation.method, path, body, fields + Self.mark(generation))
                    #expect(response.code == 401, "\(operation.method) \(path) \(fields): \(response.text)")
                }
            }
        }
    }

    @Test(arguments: TestDatabase.all)
    func `is for callers on the server's machine and for admins`(on database: TestDatabase) async throws {
        try await TestServer.with(on: database, fixture: "described") { server in
            let client = try WireClient(port: server.port)
            func code(_ fields: String..., method: String = "GET", query: String = "") throws -> Int {
                try client.exchange(method, "/openapi.json\(query)", "", fields).code
            }
            let proxied = "X-Forwarded-For: 203.0.113.7"
            #expect(try code() == 200)
            for field in [proxied, "Forwarded: for=203.0.113.7", "Via: 1.1 proxy", "X-Real-IP: 203.0.113.7"] {
                #expect(try code(field) == 401, "\(field)")
            }
            #expect(try code(proxied, "X-ZUMO-MASTER: master") == 200)
            #expect(try code(proxied, "X-ZUMO-AUTH: \(try APICaller.token("sid:1", role: "admin"))") == 200)
            #expect(try code(proxied, "X-ZUMO-MASTER: x") == 401)
            #expect(try code(proxied, "X-ZUMO-APPLICATION: app") == 401)
            #expect(try code(proxied, "X-ZUMO-AUTH: \(try APICaller.token("sid:1"))") == 401)
            #expect(try code(method: "POST") == 405)
            #expect(try code(query: "?generation=v4") == 400)
            #expect(try code("ZUMO-API-VERSION: 9") == 400)
        }
    }

    @Test(arguments: TestDatabase.all)
    func `describes the generation that is asked for, and says when it has not changed`(
        on database: TestDatabase
    ) async throws {
        try await TestServer.with(on: database, fixture: "described", lines: ["generation: v3"]) { server in
            let client = try WireClient(port: server.port)
            func title(_ query: String, _ fields: String...) throws -> String? {
                let response = try client.exchange("GET", "/openapi.json\(query)", "", fields)
                return try JSONReader.parse(response.body)["info"]?["title"]?.textValue.map { String($0.suffix(4)) }
            }
            #expect(try title("") == "(v3)")
            #expect(try title("", "ZUMO-API-VERSION: 2.0.0") == "(v2)")
            #expect(try title("?zumo-api-version=2.0.0") == "(v2)")
            #expect(try title("?generation=V1", "ZUMO-API-VERSION: 2.0.0") == "(v1)")

            let tag = try #require(try client.exchange("GET", "/openapi.json")["ETag"])
            let again = try client.exchange("GET", "/openapi.json", "", ["If-None-Match: \(tag)"])
            #expect(again.code == 304 && again.body.isEmpty && again["ETag"] == tag)
            #expect(try client.exchange("GET", "/openapi.json?generation=v2")["ETag"] != tag)
        }
    }

    @Test(arguments: TestDatabase.all)
    func `has the tables and columns that clients make`(on database: TestDatabase) async throws {
        try await TestServer.with(on: database, lines: ["autoCreateTables: true"]) { server in
            let client = try WireClient(port: server.port)
            #expect(try APIDocument("v2", port: server.port).operation("GET", segments: ["tables", "made"]) == nil)
            let tag = try client.exchange("GET", "/openapi.json")["ETag"]
            let made = try client.exchange("POST", "/tables/made", #"{"colour":"red","size":1.5}"#)
            try #require(made.code == 201)
            let document = try APIDocument("v2", port: server.port)
            #expect(document.operation("GET", segments: ["tables", "made"]) != nil)
            let columns = document.json["components"]?["schemas"]?["made"]?["properties"]
            #expect(columns?["colour"]?["type"] == ["string", "null"])
            #expect(columns?["size"]?["type"] == ["number", "null"])
            #expect(try client.exchange("GET", "/openapi.json")["ETag"] != tag)
        }
    }
}
