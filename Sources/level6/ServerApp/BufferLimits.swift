import Foundation
import Platform
package import ServerConfiguration

/// How much memory bodies and answers may use.
package enum BufferLimits {
    /// The configured limit, or an eighth of the memory available to the process, at most 512 MiB. At least four times
    /// the largest body, which takes three times its size while it is being handled.
    package static func bytes(_ limits: Configuration.Limits) -> Int {
        max(limits.bufferBytes ?? min(memory / 8, 512 << 20), 4 * limits.bodyBytes)
    }

    /// The maximum size of a page in bytes: a single one takes at most a quarter of the budget.
    static func answerBytes(_ limits: Configuration.Limits) -> Int {
        min(limits.answerBytes, bytes(limits) / 4)
    }

    /// The machine's memory in bytes, or the limit of the process's control group.
    private static let memory: Int = {
        let machine = sysconf(Int32(_SC_PHYS_PAGES)) * sysconf(Int32(_SC_PAGESIZE))
        let files = ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"]
        let limits = files.compactMap { path in
            (try? String(contentsOfFile: path, encoding: .utf8)).flatMap { Int($0.filter { $0 != "\n" }) }
        }
        return limits.reduce(machine, min)
    }()
}
