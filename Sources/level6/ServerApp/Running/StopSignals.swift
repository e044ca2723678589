import Dispatch
import Platform
import Synchronization

/// SIGTERM and SIGINT as a sequence: the first asks the server to drain, the second to stop at once. Whatever hangs
/// then, a database or a disk, the process ends. And SIGHUP as another, which asks for the configuration to be reread;
/// if it comes from a terminal that closes, it asks the server to stop like the others.
///
/// A handler writes each into a pipe. A dispatch source for signals would be shorter, but loses one in a hundred on
/// Linux: if the main thread takes a signal for which the source has been woken, nobody is told about it.
package final class StopSignals {
    /// The number of each that asks for a stop.
    package let arrivals: AsyncStream<Int32>
    /// However many SIGHUP come while one is being heeded, they are one.
    let hangUps: AsyncStream<Void>
    /// Whether SIGHUP was ignored when the process began, by `nohup`, and stays ignored.
    let ignoresHangUps: Bool
    private let source: any DispatchSourceRead
    private static let ends = [SIGTERM, SIGINT]
    /// The seconds that a second signal leaves for a stop in good order.
    static let patience: UInt32 = 5
    private static let count = Atomic(0)
    private static let isHungUp = Atomic(false)

    /// Replaces the default action of the signals, which is to end the process.
    package init() {
        let (arrivals, stops) = AsyncStream.makeStream(of: Int32.self)
        let (hangUps, reloads) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        self.arrivals = arrivals
        self.hangUps = hangUps
        ignoresHangUps = Signals.isIgnored(SIGHUP)
        let end = Self.pipe.reading
        let terminals = (STDIN_FILENO...STDERR_FILENO).filter { isatty($0) != 0 }
        source = DispatchSource.makeReadSource(fileDescriptor: end, queue: .global())
        source.setEventHandler {
            var number: UInt8 = 0
            while unsafe read(end, &number, 1) == 1 {
                guard Int32(number) == SIGHUP else {
                    stops.yield(Int32(number))
                    continue
                }
                Self.isHungUp.store(false, ordering: .sequentiallyConsistent)
                // Of a terminal that has closed nothing is left to ask.
                if terminals.contains(where: { isatty($0) == 0 }) { stops.yield(SIGHUP) } else { reloads.yield() }
            }
        }
        source.resume()
        Self.count.store(0, ordering: .relaxed)
        // By a handler: the first process of a container can't be ended by what a signal does by default.
        signal(SIGALRM) { _ in _exit(128 + SIGTERM) }
        for number in Self.ends { signal(number) { StopSignals.arrived($0) } }
        if !ignoresHangUps { signal(SIGHUP) { _ in StopSignals.hungUp() } }
    }

    /// Stops watching; the signals are ignored from then on.
    package func cancel() {
        alarm(0)
        for number in Self.ends + [SIGHUP] { signal(number, SIG_IGN) }
        source.cancel()
    }

    /// Runs in the midst of any thread, so that it may only write, and set the alarm.
    private static func arrived(_ number: Int32) {
        let before = errno
        if count.add(1, ordering: .relaxed).newValue == 2 { alarm(patience) }
        tell(number)
        errno = before
    }

    /// The same. One at a time, so that no storm fills the pipe, in which a signal to stop would find no room.
    private static func hungUp() {
        let before = errno
        if !isHungUp.exchange(true, ordering: .sequentiallyConsistent) { tell(SIGHUP) }
        errno = before
    }

    private static func tell(_ number: Int32) {
        var byte = UInt8(truncatingIfNeeded: number)
        _ = unsafe write(pipe.writing, &byte, 1)
    }

    /// The process's own, as its signals are. It is made before a handler can ask for it.
    private static let pipe: (reading: Int32, writing: Int32) = {
        var ends: [Int32] = [-1, -1]
        guard unsafe Platform.pipe(&ends) == 0 else { fatalError("no descriptor is free to be told of signals by") }
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        return (ends[0], ends[1])
    }()
}
