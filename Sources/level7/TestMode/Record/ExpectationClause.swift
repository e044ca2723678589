import Exchanges
import HTTPModel
import ZumoProtocol

/// A single condition that an expectation sets for a request.
enum ExpectationClause {
    case method(String)
    case path(PathGlob)
    case header(Expectation.HeaderRule)
    case body(ByteSearch)

    func isMet(by exchange: Exchange) -> Bool {
        switch self {
        case .method(let method): return exchange.method.name == method
        case .path(let glob): return glob.matches(exchange.path)
        case .body(let search): return search.isFound(in: exchange.body.bytes)
        case .header(let rule):
            let values = Self.values(of: rule.name, in: exchange)
            return switch rule.test {
            case .equals(let text): values.contains(text)
            case .contains(let search): values.contains { search.isFound(in: $0.utf8) }
            case .absent: values.isEmpty
            case .present: !values.isEmpty
            }
        }
    }

    /// Returns what was required and what was found instead, in words.
    func difference(in exchange: Exchange) -> String {
        switch self {
        case .method(let method):
            return "method: expected \(ErrorBody.excerpt(method)), was \(ErrorBody.excerpt(exchange.method.name))"
        case .path(let glob):
            return "path: expected \(ErrorBody.excerpt(glob.text)), was \(ErrorBody.excerpt(exchange.path))"
        case .body(let search):
            let body = exchange.body
            let was =
                if body.bytes.isEmpty {
                    "empty"
                } else if let text = body.text {
                    "'\(ErrorBody.excerpt(text))'"
                } else {
                    "\(body.bytes.count) bytes that are no text"
                }
            return "body: expected to contain '\(ErrorBody.excerpt(search.text))', was \(was)"
        case .header(let rule):
            let values = Self.values(of: rule.name, in: exchange)
            let was = values.isEmpty ? "absent" : values.map(ErrorBody.excerpt).joined(separator: " and ")
            let expected =
                switch rule.test {
                case .equals(let text): ErrorBody.excerpt(text)
                case .contains(let search): "to contain '\(ErrorBody.excerpt(search.text))'"
                case .absent: "none"
                case .present: "any"
                }
            return "header \(ErrorBody.excerpt(rule.name)): expected \(expected), was \(was)"
        }
    }

    private static func values(of name: String, in exchange: Exchange) -> [String] {
        let name = name.lowercased()
        return exchange.fields.all.filter { $0.name.lowercased() == name }.map(\.value)
    }
}

extension Expectation {
    /// Returns the conditions that a request fails; empty if it matches.
    func unmet(by exchange: Exchange) -> [ExpectationClause] {
        var demands: [ExpectationClause] = []
        if let method { demands.append(.method(method)) }
        if let path { demands.append(.path(path)) }
        demands += headers.map { .header($0) }
        demands += bodyContains.map { .body($0) }
        return demands.filter { !$0.isMet(by: exchange) }
    }
}
