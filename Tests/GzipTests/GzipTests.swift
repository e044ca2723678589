import Foundation
import Testing

@testable import Gzip

@Suite("Gzip")
struct GzipTests {
    static func expand(_ gzip: [UInt8], limit: Int = 64 << 20) throws(GzipExpander.Fault) -> [UInt8] {
        try GzipExpander.expand(gzip, limit: limit) { _ in true }
    }

    static func gzip(_ text: [UInt8]) throws -> [UInt8] {
        try #require(GzipCompressor()).compress(text)
    }

    @Test func `a text comes back as it was, whatever its size`() throws {
        let compressor = try #require(GzipCompressor())
        for size in [0, 1, 100, 16_383, 16_384, 16_385, 1_000_000] {
            for kinds in [1, 7, 256] {
                let text = (0..<size).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 7 % kinds) }
                #expect(try Self.expand(compressor.compress(text)) == text, "\(size) bytes of \(kinds) kinds")
            }
        }
    }

    @Test func `other programs read what is made, and theirs is read`() throws {
        let text = Array("[{\"id\":\"a\",\"text\":\"Grüße\"}]".utf8)
        #expect(try Self.run(["-d"], try Self.gzip(text)) == text)
        #expect(try Self.expand(try Self.run(["-9"], text)) == text)
        // As many members as there are, as RFC 1952 has it.
        #expect(try Self.expand(try Self.run(["-1"], text) + Self.run(["-9"], text)) == text + text)
    }

    /// What the program `gzip` makes of some bytes.
    private static func run(_ arguments: [String], _ input: [UInt8]) throws -> [UInt8] {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let files = (input: folder.appendingPathComponent("in"), output: folder.appendingPathComponent("out"))
        try Data(input).write(to: files.input)
        try Data().write(to: files.output)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/gzip")
        process.arguments = ["-c"] + arguments
        process.standardInput = try FileHandle(forReadingFrom: files.input)
        process.standardOutput = try FileHandle(forWritingTo: files.output)
        let ended = DispatchSemaphore(value: 0)
        process.terminationHandler = { _ in ended.signal() }
        try process.run()
        #expect(ended.wait(timeout: .now() + 60) == .success)
        return Array(try Data(contentsOf: files.output))
    }

    @Test func `bytes that were cut, changed or added are no text`() throws {
        let whole = try Self.gzip(Array("the same words, the same words".utf8))
        for count in 0..<whole.count {
            #expect(throws: GzipExpander.Fault.damaged, "\(count) bytes") { try Self.expand(Array(whole[..<count])) }
        }
        for index in whole.indices where index != 4 && index != 5 && index != 6 && index != 7 && index != 9 {
            var changed = whole
            changed[index] ^= 0x55
            // Time, level and system say nothing about the text.
            if index == 8 { continue }
            #expect(throws: GzipExpander.Fault.self, "byte \(index)") { try Self.expand(changed) }
        }
        #expect(throws: GzipExpander.Fault.damaged) { try Self.expand(whole + [0]) }
        #expect(throws: GzipExpander.Fault.damaged) { try Self.expand([]) }
    }

    @Test func `a bomb is left at the limit, and nobody takes memory for it that isn't granted`() throws {
        let bomb = try Self.gzip([UInt8](repeating: 0, count: 10 << 20))
        #expect(bomb.count < 100_000)
        #expect(try Self.expand(bomb, limit: 10 << 20).count == 10 << 20)
        #expect(throws: GzipExpander.Fault.tooLarge) { try Self.expand(bomb, limit: (10 << 20) - 1) }
        var asked = 0
        #expect(throws: GzipExpander.Fault.noRoom) {
            try GzipExpander.expand(bomb, limit: 10 << 20) { bytes in
                asked = bytes
                return bytes <= 1 << 20
            }
        }
        #expect(asked <= (1 << 20) + (16 << 10))
    }
}
