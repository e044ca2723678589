import Foundation
import JSONText
import Testing
import WireTesting

/// A server for tests (`zumod serve --test`) on one of the stores.
struct TestModeServer {
    let daemon: Daemon

    /// Where it keeps rows.
    enum Store: String, CaseIterable, CustomTestStringConvertible {
        case memory = "memory"
        case postgres = "PostgreSQL"

        var testDescription: String { rawValue }

        /// Those that are at hand.
        static var all: [Store] { SharedDatabase.server == nil ? [.memory] : allCases }
    }

    /// Starts one.
    /// - Parameter files: of its configuration.
    init(_ store: Store, _ files: [String: String] = [:], arguments: [String] = []) throws {
        var arguments = ["--test"] + arguments
        if store == .postgres, let server = SharedDatabase.server { arguments += ["--database", server] }
        daemon = try Daemon(try Workplace(files), arguments: arguments)
    }

    var port: UInt16 { daemon.port }

    /// Makes a world.
    /// - Parameter body: what it begins with.
    func world(_ body: String = "") throws -> TestWorld {
        try root.world(body)
    }

    /// The world without a name.
    var root: TestWorld { TestWorld(port: port) }
}

/// A world as a test's own code asks it, by a connection for each request.
struct TestWorld: Sendable {
    let port: UInt16
    /// What its paths begin with.
    var path = ""

    /// Makes another world.
    /// - Parameter body: what it begins with.
    func world(_ body: String = "") throws -> TestWorld {
        let made = try ask("POST", "/_test/worlds", body)
        guard made.code == 201, let url = made.json["url"]?.textValue, let place = url.range(of: "/w/") else {
            throw Daemon.Failure(text: "no world: \(made.status) \(made.text)")
        }
        return TestWorld(port: port, path: String(url[place.lowerBound...]))
    }

    /// Asks, and fails where no whole answer comes.
    func ask(_ method: String, _ target: String, _ body: String = "", _ fields: [String] = []) throws -> WireResponse {
        let client = try WireClient(port: port)
        try client.send(request(method, target, body, fields))
        return try client.response(hasBody: method != "HEAD")
    }

    /// A request to this world, as text.
    func request(_ method: String, _ target: String, _ body: String = "", _ fields: [String] = []) -> String {
        var lines =
            ["\(method) \(path)\(target) HTTP/1.1", "Host: 127.0.0.1:\(port)", "ZUMO-API-VERSION: 2.0.0"] + fields
        if !body.isEmpty { lines += ["Content-Type: application/json", "Content-Length: \(body.utf8.count)"] }
        return lines.joined(separator: "\r\n") + "\r\n\r\n" + body
    }

    /// The ids of the rows of `TodoItem`.
    func ids() throws -> [String] {
        try ask("GET", "/tables/TodoItem?$orderby=id&$top=1000").json.elements?.compactMap { $0["id"]?.textValue } ?? []
    }

    /// Adds a row to `TodoItem`.
    @discardableResult
    func insert(_ id: String, _ text: String = "t") throws -> WireResponse {
        try ask("POST", "/tables/TodoItem", "{\"id\":\"\(id)\",\"text\":\"\(text)\"}")
    }

    /// Makes a fault.
    @discardableResult
    func fault(_ rule: String) throws -> WireResponse {
        try ask("POST", "/_test/faults", "{\(rule)}")
    }
}

extension WireResponse {
    /// The body; null where it is no JSON.
    var json: JSONValue { (try? JSONReader.parse(body)) ?? .null }
}
