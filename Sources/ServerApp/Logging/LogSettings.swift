import Logging
import ServerConfiguration
import Synchronization

/// What is logged and in which form, as it stands now. All loggers of a server look here.
final class LogSettings: Sendable {
    private let level: Atomic<Int>
    private let isJSON: Atomic<Bool>

    init(_ log: Configuration.Log) {
        level = Atomic(Self.number(of: log.level))
        isJSON = Atomic(log.format == .json)
    }

    func change(to log: Configuration.Log) {
        level.store(Self.number(of: log.level), ordering: .relaxed)
        isJSON.store(log.format == .json, ordering: .relaxed)
    }

    /// Events below it are left out.
    var lowest: Logger.Level { Logger.Level.allCases[level.load(ordering: .relaxed)] }

    var format: Configuration.Log.Format { isJSON.load(ordering: .relaxed) ? .json : .text }

    private static func number(of level: Configuration.Log.Level) -> Int {
        Logger.Level.allCases.firstIndex { $0.rawValue == level.rawValue } ?? 0
    }
}
