import Testing
import WireTesting

@Suite struct `Search in long texts` {
    /// A text that is nowhere in the other, which a plain search finds out in as many steps as the product of both lengths:
    /// from the front, and from the back.
    private static let needles = [
        String(repeating: "a", count: 250_000) + "b", "b" + String(repeating: "a", count: 250_000),
    ]

    /// How long a list may take, less than usual: what is to be given up keeps a processor busy until then.
    private static let listTime = Duration.seconds(2)
    /// The same, and what a machine may be late that runs all tests at once, though not each time. It was minutes.
    private static let limit = listTime + .seconds(3)

    @Test(arguments: ["2.0.0", "3.0.0"], TestDatabase.all)
    func `is given up after the limit of a list, if not done before`(
        _ version: String, on database: TestDatabase
    ) async throws {
        try await TestServer.with(on: database, listTime: Self.listTime) { server in
            let client = try WireClient(port: server.port)
            let text = String(repeating: "a", count: 500_000)
            for (index, needle) in Self.needles.enumerated() {
                let row = #"{"id":"r\#(index)","text":"\#(text)","needle":"\#(needle)"}"#
                try #require(try client.exchange("POST", "/tables/todo", row).code == 201)
            }
            let find = version == "2.0.0" ? "substringof(needle,text)" : "contains(text,needle)"
            for filter in [find, "indexof(text,needle)%20ge%200", "startswith(text,needle)"] {
                let took = try Patience.shortest(below: Self.limit) {
                    let start = ContinuousClock.now
                    let response = try client.exchange(
                        "GET", "/tables/todo?$select=id&$filter=\(filter)", "", ["ZUMO-API-VERSION: \(version)"])
                    #expect([200, 503].contains(response.code), "\(filter)")
                    if response.code == 200 { #expect(!response.text.contains("r0"), "\(filter)") }
                    return ContinuousClock.now - start
                }
                #expect(took < Self.limit, "\(filter)")
            }
        }
    }

    private static let patterns = [
        "(((((((t+)+)+)+)+)+)+)+z$", String(repeating: "t{0,100}", count: 6) + "z",
        "(" + String(repeating: "t?", count: 20) + "){0,20}z", "(t|a)*a(t|a){90}z", "(t|a)*t(t|a){90}z",
    ]

    @Test(arguments: TestDatabase.all)
    func `by a pattern that is made to take long ends within the limit of a list`(
        on database: TestDatabase
    ) async throws {
        try await TestServer.with(on: database, listTime: Self.listTime) { server in
            let texts = [
                String(repeating: "t", count: 1_000_000),
                String((0..<1_000_000).map { ($0 * $0 / 7) % 3 == 0 ? "a" : "t" }),
            ]
            // Only now: whoever connects has ten seconds until the first request.
            let client = try WireClient(port: server.port)
            for (index, text) in texts.enumerated() {
                let row = #"{"id":"r\#(index)","text":"\#(text)"}"#
                try #require(try client.exchange("POST", "/tables/todo", row).code == 201)
            }
            for pattern in Self.patterns {
                let written = pattern.utf8.map { "%" + String($0, radix: 16) }.joined()
                let target = "/tables/todo?$select=id&$filter=matchespattern(text,'\(written)')"
                let took = try Patience.shortest(below: Self.limit) {
                    let start = ContinuousClock.now
                    let response = try client.exchange("GET", target, "", ["ZUMO-API-VERSION: 3.0.0"])
                    #expect([200, 503].contains(response.code), "\(pattern) \(response.text)")
                    if response.code == 200 { #expect(response.text.contains(#""items":[]"#), "\(pattern)") }
                    return ContinuousClock.now - start
                }
                #expect(took < Self.limit, "\(pattern)")
            }
        }
    }

    @Test(arguments: TestDatabase.all)
    func `finds what is there, wherever and however long it is`(on database: TestDatabase) async throws {
        try await TestServer.with(on: database) { server in
            let client = try WireClient(port: server.port)
            let filler = String(repeating: "é-", count: 50_000)
            let needle = "Ö" + String(repeating: "xy", count: 1_000)
            for (index, text) in ["\(needle)\(filler)", "\(filler)\(needle)", "-\(needle)-\(filler)"].enumerated() {
                let row = #"{"id":"r\#(index)","text":"\#(text)","needle":"\#(needle)"}"#
                try #require(try client.exchange("POST", "/tables/todo", row).code == 201)
            }
            let constant = "%C3%96" + String(repeating: "xy", count: 1_000)
            for sought in ["needle", "'\(constant)'"] {
                for (index, place) in [0, 100_000, 1].enumerated() {
                    let target = "/tables/todo?$select=id&$filter=indexof(text,\(sought))%20eq%20\(place)"
                    for version in ["2.0.0", "3.0.0"] {
                        let response = try client.exchange("GET", target, "", ["ZUMO-API-VERSION: \(version)"])
                        #expect(response.text.contains(#"[{"id":"r\#(index)"}]"#), "\(version) \(place)")
                    }
                }
            }
        }
    }

    @Test(arguments: TestDatabase.all)
    func `replaces short constants only`(on database: TestDatabase) async throws {
        try await TestServer.with(on: database) { server in
            let client = try WireClient(port: server.port)
            let long = String(repeating: "a", count: 101)
            for sought in ["text", "tolower(text)", "'\(long)'"] {
                let target = "/tables/todo?$filter=replace(text,\(sought),'b')%20eq%20'b'"
                #expect(try client.exchange("GET", target).code == 400, "\(sought)")
            }
            let target = "/tables/todo?$filter=replace(text,'\(long.dropLast())','b')%20eq%20'b'"
            #expect(try client.exchange("GET", target).code == 200)
        }
    }
}
