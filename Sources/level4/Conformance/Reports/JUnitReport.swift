/// A report for CI systems: a suite for each generation, whose classes are the themes.
enum JUnitReport {
    static func text(of report: ConformanceReport) -> String {
        var lines = [
            #"<?xml version="1.0" encoding="UTF-8"?>"#,
            #"<testsuites name="zumod conformance" \#(counts(report.results))>"#,
        ]
        for generation in WireGeneration.allCases {
            let results = report.results.filter { $0.generation == generation }
            guard !results.isEmpty else { continue }
            lines.append(#"  <testsuite name="\#(generation.rawValue)" \#(counts(results))>"#)
            lines += results.flatMap(testCase)
            lines.append("  </testsuite>")
        }
        return (lines + ["</testsuites>"]).joined(separator: "\n") + "\n"
    }

    private static func counts(_ results: [CheckResult]) -> String {
        let failed = results.count { $0.isFailed }
        let skipped = results.count { !$0.isFailed && !$0.isPassed }
        return #"tests="\#(results.count)" failures="\#(failed)" errors="0" skipped="\#(skipped)""#
    }

    private static func testCase(_ result: CheckResult) -> [String] {
        let name = escaped(String(result.check.name.drop { $0 != "/" }.dropFirst()))
        let head = #"    <testcase classname="\#(result.generation.rawValue).\#(result.check.theme)" name="\#(name)""#
        switch result.verdict {
        case .passed: return [head + "/>"]
        case .skipped(let reason):
            return [head + ">", #"      <skipped message="\#(escaped(reason))"/>"#, "    </testcase>"]
        case .failed(let expected, let came, _):
            let message = escaped("expected \(expected); came \(came)")
            let shown = [result.check.rule] + (result.telling.map { TextReport.lines(of: $0) } ?? [])
            let text = escaped(shown.joined(separator: "\n"), isText: true)
            return [
                head + ">",
                #"      <failure message="\#(message)">\#(text)</failure>"#,
                "    </testcase>",
            ]
        }
    }

    /// The text as XML 1.0 takes it: what it has no way to write becomes U+FFFD.
    private static func escaped(_ text: String, isText: Bool = false) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "\n" where isText: escaped += "\n"
            case "\t", "\n", "\r": escaped += "&#\(scalar.value);"
            case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": escaped += "\u{FFFD}"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
