import Synchronization

/// The current log settings, shared by everything that a server logs.
package final class CurrentLogSettings: Sendable {
    /// The lowest level that is logged, as an index into `levels`.
    private let level: Atomic<Int>
    private let isJSON: Atomic<Bool>

    package init(_ settings: LogSettings = LogSettings()) {
        level = Atomic(Self.number(of: settings.level))
        isJSON = Atomic(settings.format == .json)
    }

    package func change(to settings: LogSettings) {
        level.store(Self.number(of: settings.level), ordering: .relaxed)
        isJSON.store(settings.format == .json, ordering: .relaxed)
    }

    /// The lowest level that is logged.
    var lowest: LogLevel { Self.levels[level.load(ordering: .relaxed)] }

    /// Returns whether events of a level are logged.
    func takes(_ level: LogLevel) -> Bool { lowest <= level }

    var format: LogSettings.Format { isJSON.load(ordering: .relaxed) ? .json : .text }

    /// Stored, because each call of `allCases` would create the list again.
    private static let levels = LogLevel.allCases

    private static func number(of level: LogLevel) -> Int {
        levels.firstIndex(of: level) ?? 0
    }
}
