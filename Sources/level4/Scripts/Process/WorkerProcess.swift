import Foundation
import Platform

/// A process that runs scripts: its descriptors, its end, and how much memory it has.
final class WorkerProcess: Sendable {
    /// Why a process was not started, for the operator.
    struct Fault: Error, CustomStringConvertible {
        let description: String
    }

    /// The process's number.
    let number: pid_t
    /// Where messages go and come from.
    let channel: Int32
    /// Where it reads its program.
    let input: Int32
    /// What it prints.
    let output: Int32
    /// Whose code runs in it, and up to which calls it has begun.
    let marks: WorkerSharedState

    /// Starts a process. It lives no longer than the thread that calls this.
    init(_ command: WorkerCommand) throws(Fault) {
        var (inputs, outputs, channels): ([Int32], [Int32], [Int32]) = ([-1, -1], [-1, -1], [-1, -1])
        func close(_ descriptors: [Int32]) {
            for descriptor in descriptors where descriptor >= 0 { Platform.close(descriptor) }
        }
        let kind = Int32(bitPattern: SOCK_STREAM.rawValue) | Int32(bitPattern: SOCK_CLOEXEC.rawValue)
        guard let marks = WorkerSharedState() else { throw Self.noDescriptors }
        guard unsafe socketpair(AF_UNIX, kind, 0, &inputs) == 0, unsafe socketpair(AF_UNIX, kind, 0, &outputs) == 0,
            unsafe socketpair(AF_UNIX, kind, 0, &channels) == 0
        else {
            close(inputs + outputs + channels)
            throw Self.noDescriptors
        }
        let started = command.start(input: inputs[0], output: outputs[1], channel: channels[1], marks: marks)
        close([inputs[0], outputs[1], channels[1]])
        guard started > 0 else {
            close([inputs[1], outputs[0], channels[0]])
            throw Fault(description: "a process that runs scripts could not be started: \(command.path)")
        }
        number = started
        input = inputs[1]
        output = outputs[0]
        channel = channels[0]
        self.marks = marks
    }

    private static let noDescriptors = Fault(description: "no descriptors are left for a process that runs scripts")

    /// Ends it at once, with everything that it began.
    func kill() {
        _ = Platform.kill(-number, SIGKILL)
        _ = Platform.kill(number, SIGKILL)
    }

    /// Waits for its end.
    /// - Returns: what became of it, in words.
    func wait() -> String {
        var status: Int32 = 0
        while unsafe waitpid(number, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7F
        if signal != 0 { return "signal \(signal)" }
        return switch (status >> 8) & 0xFF {
        case 123: "its folder can't be entered"
        case 125: "it can't take the user of scripts.user: only a server that runs as root can"
        case 127: "the program can't be run"
        case let code: "exit code \(code)"
        }
    }

    /// For how long the thread that runs scripts has had a processor; nil where the system doesn't tell.
    var scriptTime: Duration? { number(0, in: "schedstat").map { .nanoseconds($0) } }

    /// What it has in memory, in bytes; 0 where the system doesn't tell.
    var residentBytes: Int { Int(number(1, in: "statm") ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE))) }

    /// What the system says of it in one short line of numbers.
    /// - Parameter place: which of the numbers, from 0.
    private func number(_ place: Int, in file: String) -> Int64? {
        let descriptor = unsafe open("/proc/\(number)/\(file)", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { Platform.close(descriptor) }
        var line = [UInt8](repeating: 0, count: 128)
        let count = unsafe read(descriptor, &line, line.count)
        let numbers = line.prefix(max(0, count)).split(separator: UInt8(ascii: " "), maxSplits: place + 1)
        return numbers.dropFirst(place).first.flatMap { Int64(String(decoding: $0, as: UTF8.self)) }
    }
}

/// What a process that runs scripts is started with.
struct WorkerCommand: Sendable {
    /// The program.
    let path: String
    let arguments: [String]
    let environment: [String: String]
    /// Where it works.
    let directory: String
    /// As whom; nil for the server's own user.
    let owner: (user: uid_t, group: gid_t)?

    fileprivate func start(input: Int32, output: Int32, channel: Int32, marks: WorkerSharedState) -> pid_t {
        unsafe withPointers(to: [path] + arguments) { arguments in
            unsafe withPointers(to: environment.map { "\($0.key)=\($0.value)" }) { environment in
                unsafe path.withCString { path in
                    unsafe directory.withCString { directory in
                        var worker = unsafe zumod_worker_t(
                            path: path, arguments: arguments, environment: environment, directory: directory,
                            input: input, output: output, channel: channel, marks: marks.descriptor,
                            changes_user: owner == nil ? 0 : 1,
                            user: owner?.user ?? 0, group: owner?.group ?? 0)
                        return unsafe zumod_start_worker(&worker)
                    }
                }
            }
        }
    }

    private func withPointers<Result>(
        to texts: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
    ) -> Result {
        var pointers = unsafe texts.map { unsafe strdup($0) }
        defer { for index in unsafe pointers.indices { unsafe free(pointers[index]) } }
        unsafe pointers.append(nil)
        return unsafe pointers.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { preconditionFailure("it holds nil at least") }
            return unsafe body(base)
        }
    }

    /// What a script's process learns of the server's environment: nothing that is the server's own or its database's.
    static func environment(of server: [String: String]) -> [String: String] {
        let hidden = [
            "ZUMOD_", "PG", "LISTEN_", "NOTIFY_", "WATCHDOG_", "CREDENTIALS_", "NODE_OPTIONS", "NODE_CHANNEL",
        ]
        var environment = server.filter { entry in !hidden.contains { entry.key.hasPrefix($0) } }
        environment["NODE_ENV"] = environment["NODE_ENV"] ?? "production"
        return environment
    }

    /// The account of a name.
    static func owner(named name: String) -> (user: uid_t, group: gid_t)? {
        guard let entry = unsafe getpwnam(name) else { return nil }
        return unsafe (entry.pointee.pw_uid, entry.pointee.pw_gid)
    }

    /// Where a program is, by its path or on the PATH.
    static func path(of program: String, searching path: String) -> String? {
        if program.contains("/") {
            // It is run from the scripts' folder.
            let whole = URL(fileURLWithPath: program).path
            return FileManager.default.isExecutableFile(atPath: whole) ? whole : nil
        }
        for directory in path.split(separator: ":") where directory.hasPrefix("/") {
            let candidate = "\(directory)/\(program)"
            if FileManager.default.isExecutableFile(atPath: candidate) { return candidate }
        }
        return nil
    }
}
