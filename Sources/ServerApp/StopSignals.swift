import Dispatch
import Glibc
import Synchronization

/// SIGTERM, SIGINT and SIGHUP (a terminal that closes) as a sequence: the first asks the server to drain, the second to
/// stop at once. Whatever hangs then, a database or a disk, the process ends.
///
/// A handler writes each into a pipe. A dispatch source for signals would be shorter, but loses one in a hundred on
/// Linux: where the main thread takes a signal that the source has been woken for, nobody is told of it.
final class StopSignals {
    let arrivals: AsyncStream<Int32>
    private let source: any DispatchSourceRead
    private static let numbers = [SIGTERM, SIGINT, SIGHUP]
    /// The seconds that a second signal leaves for a stop in good order.
    static let patience: UInt32 = 5
    private static let count = Atomic(0)

    /// Takes the signals over from their default, which is to end the process.
    init() {
        let (arrivals, continuation) = AsyncStream.makeStream(of: Int32.self)
        self.arrivals = arrivals
        let end = Self.pipe.reading
        source = DispatchSource.makeReadSource(fileDescriptor: end, queue: .global())
        source.setEventHandler {
            var number: UInt8 = 0
            while unsafe read(end, &number, 1) == 1 { continuation.yield(Int32(number)) }
        }
        source.resume()
        Self.count.store(0, ordering: .relaxed)
        // By a handler: the first process of a container can't be ended by what a signal does by default.
        signal(SIGALRM) { _ in _exit(128 + SIGTERM) }
        for number in Self.numbers { signal(number) { StopSignals.arrived($0) } }
    }

    /// Stops looking; the signals are ignored from then on.
    func cancel() {
        alarm(0)
        for number in Self.numbers { signal(number, SIG_IGN) }
        source.cancel()
    }

    /// Runs in the midst of any thread, so that it may only write, and set the alarm.
    private static func arrived(_ number: Int32) {
        let before = errno
        if count.add(1, ordering: .relaxed).newValue == 2 { alarm(patience) }
        var byte = UInt8(truncatingIfNeeded: number)
        _ = unsafe write(pipe.writing, &byte, 1)
        errno = before
    }

    /// The process's own, as its signals are. It is made before a handler can ask for it.
    private static let pipe: (reading: Int32, writing: Int32) = {
        var ends: [Int32] = [-1, -1]
        guard unsafe Glibc.pipe(&ends) == 0 else { fatalError("no descriptor is free to be told of signals by") }
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        return (ends[0], ends[1])
    }()
}
