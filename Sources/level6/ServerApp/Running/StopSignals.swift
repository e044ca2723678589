import Dispatch
import Platform
import Synchronization

/// SIGTERM and SIGINT as a sequence: the first makes the server drain, the second makes it stop at once. If a database
/// or a disk hangs then, the process ends anyway. SIGHUP is another sequence, which asks for the configuration to be
/// reread; if it comes from a terminal that closes, it stops the server like the others.
///
/// A handler writes each signal into a pipe. A dispatch source for signals would be shorter, but loses one in a hundred
/// on Linux: if the main thread takes a signal for which the source has been woken, it is never reported.
package final class StopSignals {
    /// The numbers of the signals that ask for a stop.
    package let arrivals: AsyncStream<Int32>
    /// Any number of SIGHUP that arrive while one is being handled count as one.
    let hangUps: AsyncStream<Void>
    /// Whether SIGHUP was ignored when the process started, by `nohup`, and stays ignored.
    let ignoresHangUps: Bool
    private let source: any DispatchSourceRead
    private static let ends = [SIGTERM, SIGINT]
    /// The seconds after a second signal until the process is ended.
    static let patience: UInt32 = 5
    private static let count = Atomic(0)
    private static let isHungUp = Atomic(false)

    /// Replaces the default action of the signals, which would end the process.
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
                // The terminal is closed, so there is nothing to reread for.
                if terminals.contains(where: { isatty($0) == 0 }) { stops.yield(SIGHUP) } else { reloads.yield() }
            }
        }
        source.resume()
        Self.count.store(0, ordering: .relaxed)
        // By a handler, as the default action of a signal doesn't end the first process of a container.
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

    /// Runs on any thread at any point, so it may only write and set the alarm.
    private static func arrived(_ number: Int32) {
        let before = errno
        if count.add(1, ordering: .relaxed).newValue == 2 { alarm(patience) }
        tell(number)
        errno = before
    }

    /// The same for SIGHUP. One at a time, so that a storm can't fill the pipe and block a signal to stop.
    private static func hungUp() {
        let before = errno
        if !isHungUp.exchange(true, ordering: .sequentiallyConsistent) { tell(SIGHUP) }
        errno = before
    }

    private static func tell(_ number: Int32) {
        var byte = UInt8(truncatingIfNeeded: number)
        _ = unsafe write(pipe.writing, &byte, 1)
    }

    /// The pipe of the process, as its signals are process-wide. It is created before a handler can need it.
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
