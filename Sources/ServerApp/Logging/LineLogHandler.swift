import JSONText
import Logging
import OData
import Tables

/// Writes log events, one line each, as text for people or as JSON for collectors.
struct LineLogHandler: LogHandler {
    /// Events below this level are left out: by the settings, unless a logger says otherwise.
    var logLevel: Logger.Level {
        get { ownLevel ?? settings.lowest }
        set { ownLevel = newValue }
    }
    /// Members of every line.
    var metadata: Logger.Metadata = [:]
    /// Gives members of the task at hand.
    var metadataProvider: Logger.MetadataProvider?
    private var ownLevel: Logger.Level?
    private let settings: LogSettings
    private let write: @Sendable ([UInt8]) -> Void

    /// Makes a handler by settings that may change.
    /// - Parameter write: takes a line with its line end, and must not wait.
    init(_ settings: LogSettings, write: @escaping @Sendable ([UInt8]) -> Void) {
        self.settings = settings
        self.write = write
    }

    /// One member of every line.
    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    /// Writes one line.
    func log(event: LogEvent) {
        write(Self.line(event.level, event.message.description, members(of: event), in: settings.format))
    }

    /// One line, with its line end.
    static func line(
        _ level: Logger.Level, _ message: String, _ members: Logger.Metadata, in format: Configuration.Log.Format
    ) -> [UInt8] {
        let sorted = members.map { (name: $0.key, value: text($0.value)) }.sorted { $0.name < $1.name }
        return switch format {
        case .text: text(level, message, sorted)
        case .json: json(level, message, sorted)
        }
    }

    private func members(of event: LogEvent) -> Logger.Metadata {
        let provided = metadataProvider?.get() ?? [:]
        let given = event.metadata ?? [:]
        // Merging is what a request's line would cost the most, and mostly there is nothing to merge.
        if metadata.isEmpty, provided.isEmpty { return given }
        return metadata.merging(provided) { $1 }.merging(given) { $1 }
    }

    private static func text(_ value: Logger.Metadata.Value) -> String {
        if case .string(let text) = value { text } else { "\(value)" }
    }

    /// `2026-11-21T12:00:00.123Z info served status=200 …`.
    private static func text(
        _ level: Logger.Level, _ message: String, _ members: [(name: String, value: String)]
    ) -> [UInt8] {
        var line: [UInt8] = []
        line.reserveCapacity(256)
        SystemClock.now().append(to: &line)
        line.append(UInt8(ascii: " "))
        line.append(contentsOf: level.rawValue.utf8)
        line.append(UInt8(ascii: " "))
        append(message, to: &line)
        for member in members {
            line.append(UInt8(ascii: " "))
            line.append(contentsOf: member.name.utf8)
            line.append(UInt8(ascii: "="))
            appendValue(member.value, to: &line)
        }
        line.append(UInt8(ascii: "\n"))
        return line
    }

    /// Appends text that may come from a client: a line end in it must not begin a line of the log.
    private static func append(_ text: String, to line: inout [UInt8]) {
        for byte in text.utf8 { line.append(byte < 32 || byte == 127 ? UInt8(ascii: " ") : byte) }
    }

    /// Quotes a value that has blanks or quotes, so that a reader can tell where it ends.
    private static func appendValue(_ value: String, to line: inout [UInt8]) {
        guard value.isEmpty || value.utf8.contains(where: { $0 <= 32 || $0 == 127 || $0 == UInt8(ascii: "\"") }) else {
            line.append(contentsOf: value.utf8)
            return
        }
        line.append(UInt8(ascii: "\""))
        append(value.replacing("\"", with: "'"), to: &line)
        line.append(UInt8(ascii: "\""))
    }

    private static let numbers: Set<String> = ["status", "us"]

    private static func json(
        _ level: Logger.Level, _ message: String, _ members: [(name: String, value: String)]
    ) -> [UInt8] {
        var line = JSONWriter()
        line.raw("{\"time\":\"")
        line.building { SystemClock.now().append(to: &$0) }
        line.raw("\",\"level\":")
        line.string(level.rawValue)
        line.raw(",\"message\":")
        line.string(message)
        for member in members {
            line.raw(",")
            line.string(member.name)
            line.raw(":")
            // By the member and not by its text: an id may consist of digits, and collectors want one type a member.
            if numbers.contains(member.name), let number = Int64(member.value) {
                line.integer(number)
            } else {
                line.string(member.value)
            }
        }
        line.raw("}\n")
        return line.bytes
    }
}
