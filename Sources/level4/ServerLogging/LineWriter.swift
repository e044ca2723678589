import Dispatch
import Platform
import Synchronization
import WorkThreads

/// Accepts lines from any thread and writes them on its own, so that callers never wait for whoever reads them.
package final class LineWriter: Sendable {
    /// The maximum number of bytes waiting for the thread. Lines beyond that are dropped and counted.
    static let capacity = 1 << 20
    /// How long the thread sleeps after writing, in microseconds: lines that arrive meanwhile don't have to wake it.
    private static let rest: useconds_t = 1_000
    /// The size that pipes write atomically, so that lines of several processes never mix in them.
    private static let pieceSize = 4_096

    private struct State {
        var lines: [UInt8] = []
        /// The number of lines dropped after those.
        var dropped = 0
        var isAsleep = false
        var isClosed = false
    }

    private let descriptor: Int32
    private let notice: @Sendable (Int) -> [UInt8]
    private let state = Mutex(State())
    private let droppedLines = Atomic(0)
    private let wake = DispatchSemaphore(value: 0)
    private let end = DispatchSemaphore(value: 0)

    /// Creates a writer of a log to standard error.
    package convenience init(log settings: CurrentLogSettings) {
        self.init(to: STDERR_FILENO) { count in
            LogLine.bytes(.warning, "log lines were dropped, since nobody took them", in: settings.format) { line in
                line.add("count", number: Int64(count))
            }
        }
    }

    /// - Parameter notice: returns the line that stands in for that many dropped ones.
    package init(to descriptor: Int32, telling notice: @escaping @Sendable (Int) -> [UInt8]) {
        self.descriptor = descriptor
        self.notice = notice
        NamedThread.start("zumod-log") { self.run() }
    }

    /// Accepts a line with its line ending, or drops it if too much is waiting. Lines from an event loop are handed
    /// over together at the end of its turn.
    package func write(_ line: [UInt8]) {
        guard let iteration = LoopIteration.current else { return write(line, count: 1) }
        if let lines = iteration.shared(as: LoopLines.self, where: { $0.isOf(self) }) { return lines.append(line) }
        iteration.keep(LoopLines(of: self, line))
    }

    /// - Parameter count: the number of lines.
    fileprivate func write(_ lines: [UInt8], count: Int) {
        let wakes = state.withLock { state in
            // Lines after a dropped one are dropped too, so that a single notice stands for all of them.
            if state.dropped == 0, state.lines.count + lines.count <= Self.capacity {
                state.lines.append(contentsOf: lines)
            } else {
                state.dropped += count
            }
            defer { state.isAsleep = false }
            return state.isAsleep
        }
        if wakes { wake.signal() }
    }

    /// Returns when the waiting lines are written or the time is over: a reader that has stopped reading must not keep
    /// a server from ending.
    package func close(within seconds: Double) {
        let wakes = state.withLock { state in
            state.isClosed = true
            defer { state.isAsleep = false }
            return state.isAsleep
        }
        if wakes { wake.signal() }
        _ = end.wait(timeout: .now() + seconds)
    }

    /// The number of lines dropped since the start.
    package var droppedCount: Int { droppedLines.load(ordering: .relaxed) + state.withLock { $0.dropped } }

    private func run() {
        var lines: [UInt8] = []
        var lost = 0
        while let dropped = take(&lines) {
            let gone = put(lines) + dropped
            droppedLines.add(gone, ordering: .relaxed)
            lost += gone
            if lost > 0, put(notice(lost)) == 0 { lost = 0 }
            usleep(Self.rest)
        }
        end.signal()
    }

    /// Waits for lines and takes all there are.
    /// - Returns: the number of lines dropped after them; nil if no more will come.
    private func take(_ lines: inout [UInt8]) -> Int? {
        lines.removeAll(keepingCapacity: true)
        while true {
            let (dropped, isOver) = state.withLock { state -> (Int?, Bool) in
                if state.lines.isEmpty, state.dropped == 0 {
                    state.isAsleep = !state.isClosed
                    return (nil, state.isClosed)
                }
                swap(&lines, &state.lines)
                defer { state.dropped = 0 }
                return (state.dropped, false)
            }
            if isOver { return nil }
            if let dropped { return dropped }
            wake.wait()
        }
    }

    /// - Returns: the number of lines that could not be written.
    private func put(_ lines: [UInt8]) -> Int {
        let lineEnd = UInt8(ascii: "\n")
        var lost = 0
        var rest = lines[...]
        while !rest.isEmpty {
            let fits = rest.prefix(Self.pieceSize)
            let last = fits.count == rest.count ? fits.endIndex - 1 : fits.lastIndex(of: lineEnd)
            let end = last ?? rest.firstIndex(of: lineEnd) ?? rest.endIndex - 1
            let piece = rest[...end]
            if !putWhole(piece) { lost += piece.count { $0 == lineEnd } }
            rest = rest[(end + 1)...]
        }
        return lost
    }

    /// - Returns: false if there is no reader any more, or no room on the disk.
    private func putWhole(_ piece: ArraySlice<UInt8>) -> Bool {
        var rest = piece
        while !rest.isEmpty {
            let written = unsafe rest.withUnsafeBytes { unsafe Platform.write(descriptor, $0.baseAddress, $0.count) }
            if written > 0 {
                rest = rest.dropFirst(written)
            } else if written < 0, errno == EAGAIN {
                // Another process that shares the descriptor has made it non-blocking.
                var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = unsafe poll(&waiting, 1, -1)
            } else if errno != EINTR {
                return false
            }
        }
        return true
    }
}

/// The lines of one turn of an event loop: handing over each one separately would take a lock that all loops share.
private final class LoopLines: LoopIteration.Share {
    /// The number of bytes at which lines are handed over before the turn is over.
    private static let most = 16 << 10

    private let writer: LineWriter
    private var lines: [UInt8]
    private var count = 1

    init(of writer: LineWriter, _ first: [UInt8]) {
        self.writer = writer
        lines = first
    }

    func isOf(_ writer: LineWriter) -> Bool { self.writer === writer }

    func append(_ line: [UInt8]) {
        if lines.count + line.count > Self.most { turnEnds() }
        lines.append(contentsOf: line)
        count += 1
    }

    func turnEnds() {
        guard count > 0 else { return }
        writer.write(lines, count: count)
        lines.removeAll(keepingCapacity: true)
        count = 0
    }
}
