import Foundation

/// How long a test waits for what has to come: longer where the machine is busy, since it is no test of the machine.
public enum Patience {
    /// So many seconds, times the work that waits for each core.
    public static func seconds(_ seconds: Int) -> Int {
        let load = (try? String(contentsOfFile: "/proc/loadavg", encoding: .utf8))?.split(separator: " ").first
        let waiting = load.flatMap { Double($0) }.map { $0 / Double(ProcessInfo.processInfo.activeProcessorCount) } ?? 1
        return Int(Double(seconds) * min(max(waiting, 1), 20))
    }
}
