import Foundation
import Platform
import Testing
import WireTesting

@testable import ServerLogging

@Suite("The way of log lines", .ownThread)
struct LineWriterTests {
    private let pipe = Pipe()
    private let writer: LineWriter

    init() {
        // As a server does: a writer may outlive its test's pipe.
        signal(SIGPIPE, SIG_IGN)
        writer = LineWriter(to: pipe.fileHandleForWriting.fileDescriptor) { Array("\($0) dropped\n".utf8) }
    }

    private static func line(_ number: Int) -> [UInt8] {
        Array("\(number) \(String(repeating: "x", count: 90))\n".utf8)
    }

    /// What was written, once the writer is done.
    private func rest() throws -> [Substring] {
        let reading = pipe.fileHandleForReading
        let lines = LogLines()
        let reader = Thread {
            while let more = try? reading.read(upToCount: 1 << 16), !more.isEmpty { lines.append(Array(more)) }
        }
        reader.start()
        writer.close(within: 30)
        try pipe.fileHandleForWriting.close()
        while !reader.isFinished { usleep(1_000) }
        let text = lines.all.joined()
        #expect(text.hasSuffix("\n"))
        return text.split(separator: "\n")
    }

    @Test func `each line is there once, whole and in order`() async throws {
        for number in 0..<500 { writer.write(Self.line(number)) }
        #expect(try rest() == (0..<500).map { String(decoding: Self.line($0), as: UTF8.self).dropLast() })
    }

    @Test func `lines of several threads never mix`() async throws {
        let writer = writer
        _ = try await inParallel(4) { thread in
            for number in 0..<100 { writer.write(Self.line(thread * 1_000 + number)) }
        }
        let lines = try rest()
        #expect(Set(lines).count == 400)
        #expect(lines.allSatisfy { $0.hasSuffix(" \(String(repeating: "x", count: 90))") })
    }

    @Test func `lines from a turn of an event loop go together at its end, and all of a long turn are there`() throws {
        let iteration = LoopIteration()
        for number in 0..<1_000 { writer.write(Self.line(number)) }
        iteration.end()
        #expect(try rest() == (0..<1_000).map { String(decoding: Self.line($0), as: UTF8.self).dropLast() })
        withExtendedLifetime(iteration) {}
    }

    @Test func `a line goes out without another one after it`() throws {
        writer.write(Array("one\n".utf8))
        #expect(try pipe.fileHandleForReading.read(upToCount: 4) == Data("one\n".utf8))
        writer.write(Array("two\n".utf8))
        #expect(try pipe.fileHandleForReading.read(upToCount: 4) == Data("two\n".utf8))
    }

    @Test func `where nobody reads nobody waits, and a notice stands in the place of what was dropped`() throws {
        // Four times what the pipe and the writer hold.
        let count = 4 * LineWriter.capacity / 90
        for number in 0..<count { writer.write(Self.line(number)) }
        let lines = try rest()
        let place = try #require(lines.firstIndex { $0.hasSuffix(" dropped") })
        let written = lines[..<place].reduce(0) { $0 + $1.utf8.count + 1 }
        #expect(written > LineWriter.capacity - 100 && written < 2 * LineWriter.capacity + 65_536)
        #expect(lines[..<place].map { Int($0.split(separator: " ")[0]) } == (0..<place).map { $0 })
        #expect(lines[place] == "\(count - place) dropped")
        #expect(lines.count == place + 1)
    }

    @Test func `an end is not put off by who doesn't read`() throws {
        for number in 0..<2_000 { writer.write(Self.line(number)) }
        let start = ContinuousClock.now
        writer.close(within: 0.1)
        #expect(start.duration(to: .now) < Patience.time(.seconds(10)))
        // Its thread would go on with a descriptor that another test has by then.
        _ = try rest()
    }

    @Test func `a line longer than a pipe takes at once arrives whole, between its neighbours`() throws {
        let long = String(repeating: "y", count: 10_000)
        for text in ["before", long, "after"] { writer.write(Array("\(text)\n".utf8)) }
        #expect(try rest() == ["before", long[...], "after"])
    }

    @Test func `where the other end answers at once that it is full, nothing is lost`() throws {
        _ = fcntl(pipe.fileHandleForWriting.fileDescriptor, F_SETFL, O_NONBLOCK)
        for number in 0..<5_000 { writer.write(Self.line(number)) }
        #expect(try rest().count == 5_000)
    }
}
