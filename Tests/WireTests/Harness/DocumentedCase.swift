import HTTPModel
import Synchronization
import WireTesting
import ZumoProtocol

/// Looks up the answers of a golden case in the document of the server that gave them.
struct DocumentedCase {
    private let golden: GoldenCase
    private let parts: FixtureParts
    private let port: UInt16
    private let fallback: Generation

    /// - Parameter parts: what the server has of its fixture.
    init(_ golden: GoldenCase, _ parts: FixtureParts, server: TestServer) {
        self.golden = golden
        self.parts = parts
        port = server.port
        let line = golden.configuration.first { $0.hasPrefix("generation: ") }
        fallback = line.flatMap { Generation(rawValue: String($0.dropFirst("generation: ".count))) } ?? .v2
    }

    /// The exchanges with a table whose operation the document has, but not that answer of it.
    func undocumented() throws -> [String] {
        var undocumented: [String] = []
        for exchange in golden.exchanges {
            guard let (method, target, generation) = request(exchange) else { continue }
            let document = try document(of: generation)
            guard let operation = document.operation(method, segments: target.segments) else { continue }
            let answer = "\(exchange.request) answers \(exchange.expectedCode) in \(generation)"
            if let types = document.types(operation, exchange.expectedCode) {
                guard let type = exchange.expectedType, !types.contains(type) else { continue }
                undocumented.append("\(answer) as \(type)")
            } else {
                undocumented.append(answer)
            }
        }
        return undocumented
    }

    /// Servers of one configuration have one document, unless clients add tables.
    private func document(of generation: Generation) throws -> APIDocument {
        let lines = golden.configuration
        let own = lines.contains("autoCreateTables: true") ? [golden.name] : []
        let key = lines + own + [generation.rawValue] + parts.names.sorted()
        if let document = Self.documents.withLock({ $0[key] }) { return document }
        let document = try APIDocument(generation.rawValue, port: port)
        Self.documents.withLock { $0[key] = document }
        return document
    }

    private static let documents = Mutex<[[String]: APIDocument]>([:])

    /// - Returns: nil for a request to no table, in no generation, or by no method.
    private func request(_ exchange: GoldenExchange) -> (String, RequestTarget, Generation)? {
        let words = exchange.request.split(separator: " ", maxSplits: 1).map(String.init)
        guard words.count == 2, let target = try? RequestTarget(Array(words[1].utf8)),
            target.segments.first?.lowercased() == "tables", !target.segments.contains("")
        else { return nil }
        var request = HTTPRequest(
            method: HTTPMethod(words[0]), target: Array(words[1].utf8), body: Array(exchange.body.utf8))
        for field in exchange.fields {
            let parts = field.split(separator: ":", maxSplits: 1).map(String.init)
            guard parts.count == 2, let name = HTTPFieldName(parts[0]) else { continue }
            request.fields.append(named: name, String(parts[1].drop { $0 == " " }))
        }
        let told = try? Generations(fallback: fallback).told(by: request, target)
        guard let told, let meant = try? request.asMeant() else { return nil }
        return (meant.method.name, target, told)
    }
}
