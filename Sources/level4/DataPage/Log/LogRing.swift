import JSONText
internal import Synchronization

/// The most recent lines of the log, as they were written.
public final class LogRing: Sendable {
    static let mostLines = 200
    private let state = Mutex(State())

    private struct State {
        /// When it is full, the oldest line directly follows the newest.
        var lines: [[UInt8]] = []
        /// The number of lines so far, including dropped ones.
        var last = 0
    }

    /// Creates a log without lines.
    public init() {}

    /// Adds a line; callers never wait for long.
    public func append(_ line: [UInt8]) {
        state.withLock { state in
            if state.lines.count < Self.mostLines {
                state.lines.append(line)
            } else {
                state.lines[state.last % Self.mostLines] = line
            }
            state.last += 1
        }
    }

    /// Returns the lines after a number, the newest last.
    func json(after: Int) -> JSONValue {
        let (lines, last) = state.withLock { ($0.lines, $0.last) }
        let numbers = min(last, max(last - lines.count, after))..<last
        return [
            "last": JSONValue(last),
            "lines": .array(numbers.map { Self.json(of: lines[$0 % Self.mostLines], $0 + 1) }),
        ]
    }

    private static func json(of line: [UInt8], _ number: Int) -> JSONValue {
        let text = String(decoding: line.last == 10 ? line.dropLast() : line[...], as: UTF8.self)
        let (at, level) = head(of: text)
        return ["number": JSONValue(number), "at": .string(at), "level": .string(level), "text": .string(text)]
    }

    /// Returns the time and level of a line in either format.
    private static func head(of line: String) -> (at: String, level: String) {
        if let object = try? JSONReader.parse(Array(line.utf8)) {
            return (object["time"]?.textValue ?? "", object["level"]?.textValue ?? "")
        }
        let words = line.split(separator: " ", maxSplits: 2).map(String.init)
        return words.count > 1 ? (words[0], words[1]) : ("", "")
    }
}
