import Logging
import ServerConfiguration

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

    /// Whether events of a level are written.
    func takes(_ level: Logger.Level) -> Bool {
        ownLevel.map { $0 <= level } ?? settings.takes(level)
    }

    /// Writes one line.
    func log(event: LogEvent) {
        write(Self.line(event.level, event.message.description, members(of: event), in: settings.format))
    }

    /// Writes one line without the detour by a dictionary, which would cost more than the line.
    /// - Parameter add: adds the members, in the order of their names.
    func log(_ level: Logger.Level, _ message: String, adding add: (inout LogLine) -> Void) {
        write(LogLine.bytes(level, message, in: settings.format, adding: add))
    }

    /// One line, with its line end.
    static func line(
        _ level: Logger.Level, _ message: String, _ members: Logger.Metadata, in format: Configuration.Log.Format
    ) -> [UInt8] {
        LogLine.bytes(level, message, in: format) { line in
            for (name, value) in members.sorted(by: { $0.key < $1.key }) {
                let text = text(value)
                // By the member and not by its text: an id may consist of digits, and collectors want one type a member.
                if numbers.contains(name), let number = Int64(text) {
                    line.add(named: name, number: number)
                } else {
                    line.add(named: name, text)
                }
            }
        }
    }

    private static let numbers: Set<String> = ["bytes", "count", "ms", "refused", "seconds", "status", "us"]

    private func members(of event: LogEvent) -> Logger.Metadata {
        let provided = metadataProvider?.get() ?? [:]
        let given = event.metadata ?? [:]
        if metadata.isEmpty, provided.isEmpty { return given }
        return metadata.merging(provided) { $1 }.merging(given) { $1 }
    }

    private static func text(_ value: Logger.Metadata.Value) -> String {
        if case .string(let text) = value { text } else { "\(value)" }
    }
}
