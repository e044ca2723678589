import Exchanges
import HTTPModel
import JSONText
import ZumoProtocol

/// The result of an expectation: how many requests matched, and which came closest.
struct ExpectationResult {
    private let expectation: Expectation
    private let matches: Int
    private let nearest: [(exchange: Exchange, unmet: [ExpectationClause])]

    /// The maximum number of exchanges shown if it fails.
    private static let mostNearest = 3

    init(of expectation: Expectation, in exchanges: [Exchange]) {
        self.expectation = expectation
        var matches = 0
        var nearest: [(exchange: Exchange, unmet: [ExpectationClause])] = []
        // The newest first, so that of those that are as near the newer ones are shown.
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

    /// 200 if the number is as expected, otherwise 422 with what differed.
    var response: HTTPResponse {
        var json = JSONWriter()
        guard !expectation.times.holds(for: matches) else {
            json.raw("{\"matches\":")
            json.integer(Int64(matches))
            json.raw("}")
            return .testJSON(.ok, json.bytes)
        }
        let sentence = "Expected \(expectation.times.words) of such requests, and found \(matches)."
        json.raw("{\"error\":")
        json.string(sentence)
        json.raw(",\"message\":")
        json.string(sentence)
        json.raw(",\"code\":")
        json.string(ErrorCode.verificationFailed.rawValue)
        json.raw(",\"matches\":")
        json.integer(Int64(matches))
        json.raw(",\"expected\":")
        json.string(expectation.times.words)
        json.raw(",\"nearest\":[")
        for (index, near) in nearest.enumerated() {
            if index > 0 { json.raw(",") }
            Self.write(near.exchange, near.unmet, into: &json)
        }
        json.raw("]}")
        var response = HTTPResponse.testJSON(.unprocessableContent, json.bytes)
        response.reason = sentence
        return response
    }

    private static func write(_ exchange: Exchange, _ unmet: [ExpectationClause], into json: inout JSONWriter) {
        json.raw("{\"number\":")
        json.integer(Int64(exchange.number))
        json.raw(",\"method\":")
        json.string(exchange.method.name)
        json.raw(",\"path\":")
        json.string(exchange.path)
        json.raw(",\"differences\":[")
        for (index, demand) in unmet.enumerated() {
            if index > 0 { json.raw(",") }
            json.string(demand.difference(in: exchange))
        }
        json.raw("]}")
    }
}
