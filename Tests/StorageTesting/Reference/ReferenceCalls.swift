import OData
import Scalars
import Tables

extension ReferenceEvaluator {
    /// What a function yields. A null among the arguments makes the result null.
    func call(_ function: Function, _ arguments: [Expression], in row: Row) -> ReferenceDatum {
        let data = arguments.map { datum(of: $0, in: row) }
        guard !data.contains(.null) else { return .null }
        switch function {
        case .contains, .startsWith, .endsWith, .substringOf, .indexOf:
            return search(function, data, exactly: textComparison == .ordinal)
        case .matchesPattern:
            guard let text = data[0].text, let written = data[1].text, let pattern = try? TextPattern(written) else {
                return .null
            }
            return .boolean(pattern.matches(text))
        case .length, .substring, .concat, .toLower, .toUpper, .trim, .replace:
            return text(function, data, exactly: textComparison == .ordinal)
        case .year, .month, .day, .hour, .minute, .second:
            return wireForm(data[0]).map { .integer(part(function, of: $0)) } ?? .null
        case .fractionalSeconds:
            return wireForm(data[0]).flatMap { Double("0." + $0.dropFirst(20).prefix(3)) }.map { .real($0) } ?? .null
        case .date:
            return wireForm(data[0]).map { .day(String($0.prefix(10))) } ?? .null
        case .time:
            return wireForm(data[0]).map { .time(String($0.dropFirst(11).prefix(12))) } ?? .null
        case .now:
            return .date(now)
        case .floor, .ceiling, .round:
            if case .decimal(let number) = data[0] {
                return .decimal(
                    function == .floor ? number.floor : function == .ceiling ? number.ceiling : number.rounded())
            }
            guard case .real(let number) = data[0] else { return data[0] }
            let rule: FloatingPointRoundingRule =
                function == .floor ? .down : function == .ceiling ? .up : .toNearestOrAwayFromZero
            return .real(number.rounded(rule))
        }
    }

    /// The needle is plain text: `%`, `_` and `[` mean themselves.
    private func search(_ function: Function, _ data: [ReferenceDatum], exactly: Bool) -> ReferenceDatum {
        let isNeedleFirst = function == .substringOf
        guard let haystack = data[isNeedleFirst ? 1 : 0].text, let needle = data[isNeedleFirst ? 0 : 1].text else {
            return .null
        }
        let text = ReferenceText.compared(haystack, exactly: exactly)
        let wanted = ReferenceText.compared(needle, exactly: exactly)
        switch function {
        case .startsWith: return .boolean(text.starts(with: wanted))
        case .contains: return .boolean(ReferenceText.index(of: wanted, in: text) != nil)
        case .endsWith: return .boolean(text.reversed().starts(with: wanted.reversed()))
        case .substringOf: return .boolean(ReferenceText.index(of: wanted, in: text) != nil)
        default: return .integer(Int64(ReferenceText.index(of: wanted, in: text) ?? -1))
        }
    }

    private func text(_ function: Function, _ data: [ReferenceDatum], exactly: Bool) -> ReferenceDatum {
        guard let text = data[0].text ?? self.text(of: data[0]) else { return .null }
        switch function {
        case .length:
            return .integer(Int64(text.unicodeScalars.count))
        case .substring:
            guard let start = data[1].real, let count = data.count > 2 ? data[2].real : .infinity else { return .null }
            let from = text.unicodeScalars.dropFirst(Int(min(max(start, 0), 1e9)))
            return .text(String(from.prefix(Int(min(max(count, 0), 1e9)))))
        case .concat:
            return (data[1].text ?? self.text(of: data[1])).map { .text(text + $0) } ?? .null
        case .toLower: return .text(ReferenceText.string(ReferenceText.lowered(text)))
        case .toUpper: return .text(ReferenceText.string(ReferenceText.raised(text)))
        case .trim: return .text(ReferenceText.trimmed(text))
        case .replace:
            guard let needle = data[1].text, let new = data[2].text else { return .null }
            return .text(ReferenceText.replacing(needle, with: new, in: text, exactly: exactly))
        default:
            return .null
        }
    }

    /// The date, in UTC, as the wire shows it; a day or a time is filled up to one. Nil for text that holds no date.
    private func wireForm(_ datum: ReferenceDatum) -> String? {
        switch datum {
        case .date(let instant): instant.wireText
        case .text(let text): Instant(text)?.wireText
        case .day(let day): day + "T00:00:00.000Z"
        case .time(let time): "1970-01-01T" + time + "Z"
        default: nil
        }
    }

    /// Reads the part off the wire form.
    private func part(_ function: Function, of wireForm: String) -> Int64 {
        let digits = Array(wireForm.utf8)
        let place: Range<Int> =
            switch function {
            case .year: 0..<4
            case .month: 5..<7
            case .day: 8..<10
            case .hour: 11..<13
            case .minute: 14..<16
            default: 17..<19
            }
        return digits[place].reduce(0) { $0 * 10 + Int64($1) - 48 }
    }
}
