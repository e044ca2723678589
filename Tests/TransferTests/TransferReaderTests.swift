import Foundation
import Operating
import Tables
import Testing

@testable import Transfer

@Suite struct `The reader of imported files` {
    /// Longer than a piece in which files are read, so that rows of that length end in the one after.
    private static let limit = 300_000

    private func items(_ text: String, _ format: TransferFormat, limit: Int = limit) throws -> Int {
        let path = FileManager.default.temporaryDirectory.appending(path: "zumod-reader-\(UUID().uuidString)")
            .path(percentEncoded: false)
        try Data(text.utf8).write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        var reader = try TransferReader(path, format: format, longestRow: limit)
        var count = 0
        do throws(CommandFault) {
            while try reader.next() != nil { count += 1 }
        } catch {
            throw Refusal(text: "\(error)".replacing(path, with: "file"), rowsBefore: count)
        }
        return count
    }

    private struct Refusal: Error {
        let text: String
        let rowsBefore: Int
    }

    /// A row of so many bytes.
    private static func json(_ length: Int) -> String {
        let start = #"{"id":"a","text":""#
        return start + String(repeating: "x", count: length - start.utf8.count - 2) + "\"}"
    }

    private static func csv(_ length: Int, quoted: Bool) -> String {
        let (start, end) = quoted ? ("a,\"\"\"", "\"") : ("a,", "")
        return start + String(repeating: "x", count: length - start.utf8.count - end.utf8.count) + end
    }

    /// The rows of a text, each as its values between bars; null is a dash.
    private func rows(_ text: String) throws -> [String] {
        let path = FileManager.default.temporaryDirectory.appending(path: "zumod-reader-\(UUID().uuidString)")
            .path(percentEncoded: false)
        try Data(text.utf8).write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        var (reader, rows) = (try TransferReader(path, format: .csv), [String]())
        while let item = try reader.next() {
            guard case .row(let cells) = item else { continue }
            rows.append(
                cells.map { if case .text(let text) = $0.value { text ?? "-" } else { "?" } }.joined(separator: "|"))
        }
        return rows
    }

    @Test func `takes NULL without quotes for null, as SQL Server's tools mean it, but not in an export`() throws {
        let text = "id,text,other\na,NULL,\"NULL\"\nb,null,\n"
        #expect(try rows(text) == ["a|-|NULL", "b|null|-"])
        let note = #"#zumod {"zumod":"table","name":"t","columns":{},"softDelete":true,"integerIds":false}"# + "\n"
        #expect(try rows(note + text) == ["a|NULL|NULL", "b|null|-"])
    }

    @Test(arguments: TransferFormat.allCases)
    func `knows the tables of an export without reading its rows, and none of other files`(_ format: TransferFormat)
        throws
    {
        let path = FileManager.default.temporaryDirectory.appending(path: "zumod-reader-\(UUID().uuidString)")
            .path(percentEncoded: false)
        defer { try? FileManager.default.removeItem(atPath: path) }
        let mark = format == .csv ? "#zumod " : ""
        func note(_ name: String) -> String {
            mark + #"{"zumod":"table","name":"\#(name)","columns":{},"softDelete":true,"integerIds":false}"# + "\n"
        }
        let row = format == .csv ? "id\na\n" : "{\"id\":\"a\"}\n"
        try Data((note("A") + row + note("B") + row).utf8).write(to: URL(filePath: path))
        #expect(try TransferReader.headers(of: path).map(\.name.text) == ["A", "B"])
        try Data((row + note("A")).utf8).write(to: URL(filePath: path))
        #expect(try TransferReader.headers(of: path).isEmpty)
    }

    @Test func `gives a record without an id the one that it had when NULL was a text`() throws {
        let ids = try [rows("text\nNULL\n"), rows("text\n\"NULL\"\n"), rows("text\n\"\"\n")].map {
            $0[0].split(separator: "|", omittingEmptySubsequences: false)[0]
        }
        #expect(ids[0].count == 36 && ids[0] != ids[2])
    }

    @Test func `skips what PowerShell writes first, and names UTF-16`() throws {
        #expect(try rows("#TYPE System.Data.DataRow\r\n\"id\",\"text\"\r\n\"a\",\"b\"\r\n") == ["a|b"])
        let path = FileManager.default.temporaryDirectory.appending(path: "zumod-reader-\(UUID().uuidString)")
            .path(percentEncoded: false)
        defer { try? FileManager.default.removeItem(atPath: path) }
        for mark: [UInt8] in [[0xFF, 0xFE], [0xFE, 0xFF], []] {
            try Data(mark + [0x69, 0x00, 0x64, 0x00]).write(to: URL(filePath: path))
            for format in TransferFormat.allCases {
                let fault = #expect(throws: CommandFault.self) {
                    var reader = try TransferReader(path, format: format)
                    _ = try reader.next()
                }
                #expect("\(try #require(fault))".contains("is UTF-16: convert it first, with iconv -f UTF-16 -t UTF-8"))
            }
        }
    }

    @Test(arguments: ["\n", "\r\n", ""])
    func `takes a row of just the longest length`(_ end: String) throws {
        #expect(try items(Self.json(Self.limit) + end, .jsonl) == 1)
        for quoted in [false, true] {
            #expect(try items("id,text\n" + Self.csv(1_000, quoted: quoted) + end, .csv, limit: 1_000) == 1)
        }
    }

    @Test(arguments: ["\n", "\r\n", ""], [1, 2, 100, 1_000_000])
    func `refuses a longer one with its line, wherever it ends`(_ end: String, _ excess: Int) throws {
        let short = Self.json(100) + "\n"
        let refusal = try #require(throws: Refusal.self) {
            try items(short + Self.json(Self.limit + excess) + end + short, .jsonl)
        }
        #expect(refusal.text.contains("file:2: is longer than 300000 bytes"), "\(refusal.text)")
        #expect(refusal.rowsBefore == 1)
        for quoted in [false, true] {
            let refusal = try #require(throws: Refusal.self) {
                try items("id,text\n" + Self.csv(1_000 + excess, quoted: quoted) + end, .csv, limit: 1_000)
            }
            #expect(refusal.text.contains("file:2: is longer than 1000 bytes"), "\(refusal.text)")
        }
    }

    @Test(arguments: ["a\u{0},x", "a,x\u{0}", "\"a\u{0}\",x"])
    func `refuses the character that no row can have, with its line`(row: String) throws {
        let refusal = try #require(throws: Refusal.self) { try items("id,text\nb,y\n" + row + "\n", .csv) }
        #expect(refusal.text.contains("file:3: holds the character U+0000"), "\(refusal.text)")
    }

    @Test func `takes rows of at most 64 MiB unless told otherwise`() {
        #expect(TransferReader.longestRow == 67_108_864)
    }
}
