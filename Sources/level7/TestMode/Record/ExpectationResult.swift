import Exchanges
import HTTPModel
import JSONText
import ZumoProtocol

/// The result of an expectation: how many requests matched, and which others came closest.
struct ExpectationResult {
    private let expectation: Expectation
    private let matches: Int
    private let nearest: [(exchange: Exchange, unmet: [ExpectationClause])]

    /// The maximum number of exchanges shown on failure.
    private static let mostNearest = 3

    init(of expectation: Expectation, in exchanges: [Exchange]) {
        self.expectation = expectation
        var matches = 0
        var nearest: [(exchange: Exchange, unmet: [ExpectationClause])] = []
        // Newest first, so that newer ones are shown among those that are equally close.
        for exchange in exchanges.reversed() {
            let unmet = expectation.unmet(by: exchange)
            if unmet.isEmpty { matches += 1 }
            let place = nearest.firstIndex { $0.unmet.count > unmet.count } ?? nearest.count
            guard place < Self.mostNearest else { continue }
            nearest.insert((exchange, unmet), at: place)
            if nearest.count > Self.mostNearest { nearest.removeLast() }
        }
        self.matches = matches
        self.nearest = nearest
    }

    /// The response: 200 if the count is as expected, otherwise 422 with the differences.
    var response: HTTPResponse {
        guard !expectation.times.holds(for: matches) else { return .testJSON(.ok, ["matches": JSONValue(matches)]) }
        let sentence = "Expected \(expectation.times.words) of such requests, and found \(matches)."
        var response = HTTPResponse.testJSON(
            .unprocessableContent,
            [
                "error": .string(sentence), "message": .string(sentence),
                "code": .string(ErrorCode.verificationFailed.rawValue), "matches": JSONValue(matches),
                "expected": .string(expectation.times.words),
                "nearest": .array(nearest.map { Self.json($0.exchange, $0.unmet) }),
            ])
        response.reason = sentence
        return response
    }

    private static func json(_ exchange: Exchange, _ unmet: [ExpectationClause]) -> JSONValue {
        [
            "number": JSONValue(exchange.number), "method": .string(exchange.method.name),
            "path": .string(exchange.path), "differences": JSONValue(unmet.map { $0.difference(in: exchange) }),
        ]
    }
}
