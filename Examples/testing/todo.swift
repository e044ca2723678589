// Tests of an app with Foundation alone: swiftc todo.swift && ./todo. ZUMOD names the program where it isn't on the PATH.

import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The program, which ends with the tests.
final class Server {
    let url: String
    private let process = Process()

    init() throws {
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        let program = ProcessInfo.processInfo.environment["ZUMOD"] ?? "zumod"
        process.arguments = [program, "serve", "--test", "--port", "0", "--log-level", "error"]
        process.standardOutput = output
        try process.run()
        var text = ""
        while !text.hasSuffix("\nReady.\n") {
            let more = output.fileHandleForReading.availableData
            if more.isEmpty { throw CocoaError(.executableLoad) }
            text += String(decoding: more, as: UTF8.self)
        }
        url = text.split(separator: "\n")[0].replacingOccurrences(of: "zumod listening on ", with: "")
    }

    func stop() {
        process.terminate()
        process.waitUntilExit()
    }
}

/// A server of one test's own.
struct World {
    let url: String

    init(_ server: Server) async throws {
        let made = try await World(url: server.url).ask("POST", "/_test/worlds")
        url = made.members["url"] as? String ?? ""
    }

    private init(url: String) {
        self.url = url
    }

    func ask(
        _ method: String, _ path: String, _ body: [String: Any]? = nil, ifMatch version: String? = nil
    ) async throws -> (status: Int, members: [String: Any]) {
        guard let address = URL(string: url + path) else { throw URLError(.badURL) }
        var request = URLRequest(url: address)
        request.httpMethod = method
        request.httpBody = try body.map { try JSONSerialization.data(withJSONObject: $0) }
        request.setValue("2.0.0", forHTTPHeaderField: "ZUMO-API-VERSION")
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        if let version { request.setValue("\"\(version)\"", forHTTPHeaderField: "If-Match") }
        let (data, response) = try await URLSession.shared.data(for: request)
        let members = data.isEmpty ? nil : try JSONSerialization.jsonObject(with: data) as? [String: Any]
        return ((response as? HTTPURLResponse)?.statusCode ?? 0, members ?? [:])
    }
}

struct Unexpected: Error {
    let answer: Any
}

do {
    let server = try Server()
    // Also where a test throws.
    defer { server.stop() }

    // A write over another device's hands back the other's row.
    let app = try await World(server)
    let row = try await app.ask("POST", "/tables/TodoItem", ["id": "milk", "text": "Buy milk"])
    _ = try await app.ask("POST", "/_test/tables/TodoItem/rows/milk/touch", ["text": "Buy oat milk"])
    let version = row.members["version"] as? String
    let late = try await app.ask("PATCH", "/tables/TodoItem/milk", ["text": "Buy soy milk"], ifMatch: version)
    guard late.status == 412, late.members["text"] as? String == "Buy oat milk" else { throw Unexpected(answer: late) }

    // Another test's world knows nothing of it.
    let other = try await World(server)
    let missing = try await other.ask("GET", "/tables/TodoItem/milk")
    guard missing.status == 404 else { throw Unexpected(answer: missing) }
    print("a conflict, and a world apart")
}
