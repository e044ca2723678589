import JSONText
internal import Synchronization

/// The last lines of the log, as they were written.
public final class LogRing: Sendable {
    static let mostLines = 200
    private let state = Mutex(State())

    private struct State {
        /// Once it is full, the oldest comes right after the newest.
        var lines: [[UInt8]] = []
        /// How many there were.
        var last = 0
    }

    /// No lines yet.
    public init() {}

    /// Keeps a line; nobody waits for long.
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

    /// The lines after a number, the newest last.
    func json(after: Int) -> [UInt8] {
        let (lines, last) = state.withLock { ($0.lines, $0.last) }
        var json = JSONWriter(capacity: 4_096)
        json.raw("{\"last\":")
        json.integer(Int64(last))
        json.raw(",\"lines\":[")
        var isFirst = true
        for number in min(last, max(last - lines.count, after))..<last {
            if !isFirst { json.raw(",") }
            isFirst = false
            Self.write(lines[number % Self.mostLines], number + 1, to: &json)
        }
        json.raw("]}")
        return json.bytes
    }

    private static func write(_ line: [UInt8], _ number: Int, to json: inout JSONWriter) {
        let text = String(decoding: line.last == 10 ? line.dropLast() : line[...], as: UTF8.self)
        let (at, level) = head(of: text)
        json.raw("{\"number\":")
        json.integer(Int64(number))
        json.raw(",\"at\":")
        json.string(at)
        json.raw(",\"level\":")
        json.string(level)
        json.raw(",\"text\":")
        json.string(text)
        json.raw("}")
    }

    /// Time and level, in either form of a line.
    private static func head(of line: String) -> (at: String, level: String) {
        if let object = try? JSONReader.parse(Array(line.utf8)) {
            return (object["time"]?.textValue ?? "", object["level"]?.textValue ?? "")
        }
        let words = line.split(separator: " ", maxSplits: 2).map(String.init)
        return words.count > 1 ? (words[0], words[1]) : ("", "")
    }
}
