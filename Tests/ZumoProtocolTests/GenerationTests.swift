import HTTPModel
import Testing
import ZumoProtocol

@Suite struct `The generation of a request` {
    private static func generation(
        _ target: String = "/tables/todo", version: String? = nil, key: String? = nil, body: String = "",
        isRequired: Bool = false, fallback: Generation = .v2
    ) throws -> Generation {
        let target = Array(target.utf8)
        var request = HTTPRequest(method: .post, target: target, body: Array(body.utf8))
        if let version { request.fields.append("zumo-api-version", version) }
        if let key { request.fields.append("X-ZUMO-APPLICATION", key) }
        return try Generations(fallback: fallback, isVersionRequired: isRequired)
            .told(by: request, RequestTarget(target))
    }

    @Test(arguments: [
        ("2.0.0", Generation.v2), ("2.0.1", .v2), ("2.0.77", .v2), ("2.1.0", .v2), ("3.0", .v3), ("3.0.0", .v3),
        ("3.0.1", .v3), ("3.1.0", .v3),
    ])
    func `follows the version`(_ version: String, _ generation: Generation) throws {
        for fallback in Generation.allCases {
            #expect(try Self.generation(version: version, isRequired: true, fallback: fallback) == generation)
            #expect(
                try Self.generation("/tables/todo?ZUMO-API-VERSION=\(version)", fallback: fallback) == generation)
        }
    }

    @Test(arguments: [
        "1.0.0", "22.0.0", "4.0.0", "apples", "2.0.0.0", "2.0", "1", "2", "3", "3.", "3.0.0.0", "", "2..0", "2.0.",
        "2.0.x", "-2.0.0", "2.0.٣",
    ])
    func `is not told by another version, required or not`(_ version: String) {
        for isRequired in [true, false] {
            #expect(throws: Generations.Fault.unknown(version)) {
                try Self.generation(version: version, isRequired: isRequired)
            }
        }
    }

    @Test func `has to be told where the configuration says so`() {
        #expect(throws: Never.self) { try Self.generation() }
        #expect(throws: Generations.Fault.missing) {
            try Self.generation("/tables/todo?version=2.0.0", isRequired: true)
        }
    }

    @Test(arguments: ["ZUMO-API-VERSION", "zumo-api-version", "Zumo-Api-Version", "ZUMO%2DAPI-VERSION"])
    func `follows a query member in any case`(_ name: String) throws {
        #expect(try Self.generation("/tables/todo?a=b&\(name)=3.0.0") == .v3)
    }

    @Test func `follows the header before the query`() throws {
        #expect(try Self.generation("/tables/todo?ZUMO-API-VERSION=apples", version: "2.0.0") == .v2)
        #expect(throws: Generations.Fault.unknown("apples")) {
            try Self.generation("/tables/todo?ZUMO-API-VERSION=2.0.0", version: "apples")
        }
    }

    @Test(arguments: Generation.allCases)
    func `is the configured one where nothing tells`(_ fallback: Generation) throws {
        for target in [
            "/tables/todo", "/tables/todo?__includeDeleted=true", "/tables/todo?__INCLUDEDELETED=true",
            "/tables/todo?$filter=text%20eq%20'__version'", "/tables/todo?$orderby=my__version,__versions",
        ] {
            #expect(try Self.generation(target, fallback: fallback) == fallback)
        }
        for body in [#"{"text":"__version"}"#, #"{"a":{"__version":"x"}}"#, #"{"__version":"#, #"["__version"]"#] {
            #expect(try Self.generation(body: body, fallback: fallback) == fallback)
        }
    }

    @Test(arguments: [
        "/tables/todo?__systemProperties=*", "/tables/todo?__systemproperties=__version",
        "/tables/todo?$filter=__updatedAt%20ge%20datetimeoffset'1970-01-01T00:00:00.000Z'",
        "/tables/todo?$orderby=__UpdatedAt", "/tables/todo?$select=id,__version", "/tables/todo?__unknown=1",
    ])
    func `is v1 where the query has a name with two underscores`(_ target: String) throws {
        #expect(try Self.generation(target) == .v1)
        #expect(try Self.generation(target, isRequired: true) == .v1)
        #expect(try Self.generation(target, version: "2.0.0") == .v2)
    }

    @Test func `is v1 where an application key or a body's name says so`() throws {
        #expect(try Self.generation(key: "k") == .v1)
        #expect(try Self.generation(body: #"{"text":"a","__version":"b"}"#) == .v1)
        #expect(try Self.generation(key: "k", fallback: .v3) == .v1)
        #expect(try Self.generation(version: "3.0.0", key: "k") == .v3)
    }
}
