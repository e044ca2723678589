import Foundation

/// How long a test waits for what has to come: longer where the machine is busy, since it is no test of the machine.
public enum Patience {
    /// So many seconds, times the work that waits for each core.
    public static func seconds(_ seconds: Int) -> Int {
        Int(Double(seconds) * load)
    }

    /// A time, times the work that waits for each core: for limits of what is tested as well, and bounds that follow them.
    public static func time(_ time: Duration) -> Duration {
        time * load
    }

    /// The shortest of some times that a body takes, at the first that is short enough: what others do on the machine
    /// makes it longer, nothing makes it shorter.
    public static func shortest(below bound: Duration, _ body: () throws -> Duration) rethrows -> Duration {
        var shortest = try body()
        for _ in 1..<20 where shortest >= bound { shortest = min(shortest, try body()) }
        return shortest
    }

    /// Waits until something is so, for ten minutes: a busy machine takes its time for it.
    /// - Returns: whether it is so.
    @discardableResult
    public static func until(_ condition: () throws -> Bool) rethrows -> Bool {
        for pause in pauses {
            if try condition() { return true }
            Thread.sleep(forTimeInterval: pause)
        }
        return try condition()
    }

    /// Waits likewise, and holds up no thread.
    @discardableResult
    public static func eventually(
        isolation: isolated (any Actor)? = #isolation, _ condition: () async throws -> Bool
    ) async throws -> Bool {
        for pause in pauses {
            if try await condition() { return true }
            try await Task.sleep(for: .seconds(pause))
        }
        return try await condition()
    }

    /// The answer to a list, which is asked for again while the machine takes longer for it than a list may (503).
    public static func inTime(_ ask: () throws -> WireResponse) rethrows -> WireResponse {
        var answer = try ask()
        try until {
            if answer.code == 503 { answer = try ask() }
            return answer.code != 503
        }
        return answer
    }

    /// In seconds: short ones at first, as most things are soon so, and ten minutes in all.
    private static let pauses = Array(repeating: 0.005, count: 20) + Array(repeating: 0.05, count: 12_000)

    /// The work that waits for each core, from 1 to 20.
    private static var load: Double {
        let load = (try? String(contentsOfFile: "/proc/loadavg", encoding: .utf8))?.split(separator: " ").first
        let waiting = load.flatMap { Double($0) }.map { $0 / Double(ProcessInfo.processInfo.activeProcessorCount) } ?? 1
        return min(max(waiting, 1), 20)
    }
}
