import CurlClient
import JSONText

/// A report for programs: every check with every request and answer.
enum JSONReport {
    static func text(of report: ConformanceReport) -> String {
        let value: JSONValue = [
            "against": .string(report.address),
            "table": .string(report.table),
            "passed": .integer(Int64(report.passed)),
            "failed": .integer(Int64(report.failed)),
            "skipped": .integer(Int64(report.skipped)),
            "checks": .array(report.results.map(check)),
        ]
        return value.json + "\n"
    }

    private static func check(_ result: CheckResult) -> JSONValue {
        var members = [
            JSONMember("id", .string(result.id)), JSONMember("generation", .string(result.generation.rawValue)),
            JSONMember("rule", .string(result.check.rule)),
            JSONMember("rules", .array(result.check.rules(in: result.generation).map { .string($0) })),
        ]
        switch result.verdict {
        case .passed: members.append(JSONMember("verdict", "passed"))
        case .skipped(let reason):
            members += [JSONMember("verdict", "skipped"), JSONMember("reason", .string(reason))]
        case .failed(let expected, let came, let exchange):
            members += [
                JSONMember("verdict", "failed"), JSONMember("expected", .string(expected)),
                JSONMember("came", .string(came)),
                JSONMember("exchange", exchange.map { .integer(Int64($0)) } ?? .null),
            ]
        }
        members += [
            JSONMember("held", .array(result.demands.map { .string($0) })),
            JSONMember("exchanges", .array(result.exchanges.map(Self.exchange))),
        ]
        return .object(members)
    }

    private static func exchange(_ exchange: CheckExchange) -> JSONValue {
        let request: JSONValue = [
            "method": .string(exchange.method), "url": .string(exchange.url), "headers": fields(exchange.sentFields),
            "body": exchange.sentBody.map { .string($0) } ?? .null,
        ]
        guard let answer = exchange.answer else {
            return ["request": request, "complaint": .string(exchange.complaint ?? "")]
        }
        return [
            "request": request,
            "response": [
                "status": .integer(Int64(answer.status)), "reason": .string(answer.reason),
                "headers": fields(answer.fields), "body": .string(exchange.answeredText),
            ],
        ]
    }

    private static func fields(_ fields: [CurlField]) -> JSONValue {
        .array(fields.map { [.string($0.name), .string($0.value)] })
    }
}
