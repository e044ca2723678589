import HTTPModel
import WireTesting
import ZumoProtocol

/// Looks up the answers of a golden case in the document of the server that gave them.
struct DocumentedCase {
    private let golden: GoldenCase
    private let documents: [Generation: APIDocument]
    private let fallback: Generation

    init(_ golden: GoldenCase, server: TestServer) throws {
        self.golden = golden
        let line = golden.configuration.first { $0.hasPrefix("generation: ") }
        fallback = line.flatMap { Generation(rawValue: String($0.dropFirst("generation: ".count))) } ?? .v2
        var documents: [Generation: APIDocument] = [:]
        for generation in Generation.allCases {
            documents[generation] = try APIDocument(generation.rawValue, port: server.port)
        }
        self.documents = documents
    }

    /// The exchanges with a table whose operation the document has, but not that answer of it.
    func undocumented() -> [String] {
        golden.exchanges.compactMap { exchange in
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
            guard
                let generation = try? APIVersion.generation(
                    of: request, target, isRequired: false, fallback: fallback),
                !request.fields.contains("X-HTTP-Method-Override"), let document = documents[generation],
                let operation = document.operation(words[0], segments: target.segments)
            else { return nil }
            let answer = "\(golden.name): \(exchange.request) answers \(exchange.expectedCode) in \(generation)"
            guard let types = document.types(operation, exchange.expectedCode) else { return answer }
            if let type = exchange.expectedType, !types.contains(type) { return "\(answer) as \(type)" }
            return nil
        }
    }
}
