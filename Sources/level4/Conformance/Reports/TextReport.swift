import CurlClient

/// A report for people: a line for each check, and under a failure all that is needed to see it.
public enum TextReport {
    /// The beginning.
    public static func opening(address: String, table: String, generations: [WireGeneration]) -> String {
        let names = generations.map { "\($0.rawValue) (\($0.words))" }.joined(separator: ", ")
        return "\(address), table \(table): \(names)"
    }

    /// What is said of one check.
    public static func lines(of result: CheckResult) -> [String] {
        switch result.verdict {
        case .passed: return ["pass  \(result.id)"]
        case .skipped(let reason): return ["skip  \(result.id): \(reason)"]
        case .failed(let expected, let came, _):
            let rules = result.check.rules(in: result.generation).joined(separator: ", ")
            let head = [
                "FAIL  \(result.id)", "      \(result.check.rule)\(rules.isEmpty ? "" : " (\(rules))")",
                "      expected: \(expected)",
                "      came:     \(came)",
            ]
            return head + (result.telling.map { lines(of: $0).map { "      \($0)" } } ?? [])
        }
    }

    /// A request and its answer.
    static func lines(of exchange: CheckExchange) -> [String] {
        var lines = ["> \(exchange.method) \(exchange.url)"]
        lines += exchange.sentFields.map { "> \($0.name): \($0.value)" }
        if let body = exchange.sentBody, !body.isEmpty { lines.append("> \(body)") }
        guard let answer = exchange.answer else { return lines + ["< no answer: \(exchange.complaint ?? "")"] }
        lines.append("< \(answer.status) \(answer.reason)")
        lines += answer.fields.map { "< \($0.name): \($0.value)" }
        if !answer.body.isEmpty { lines.append("< \(exchange.answeredText)") }
        return lines
    }

    /// The end.
    public static func summary(of report: ConformanceReport) -> String {
        let count = report.results.count
        return "\(count) \(count == 1 ? "check" : "checks"): \(report.passed) passed, \(report.failed) failed, "
            + "\(report.skipped) skipped"
    }

    static func text(of report: ConformanceReport) -> String {
        var generations: [WireGeneration] = []
        for result in report.results where !generations.contains(result.generation) {
            generations.append(result.generation)
        }
        let opening = opening(address: report.address, table: report.table, generations: generations)
        let lines = [opening] + report.results.flatMap { self.lines(of: $0) } + [summary(of: report)]
        return lines.joined(separator: "\n") + "\n"
    }
}
