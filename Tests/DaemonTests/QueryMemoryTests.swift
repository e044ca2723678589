import Foundation
import PostgresTesting
import Testing
import WireTesting

@Suite("The memory of a query", .ownThread) struct QueryMemoryTests {
    /// Conditions of both generations that would make texts of hundreds of megabytes, or keep a thousand of one.
    private static let bombs: [(version: String, options: String)] = [
        ("2.0.0", "$filter=length(\(nested(60, "replace(text,'t','\(String(repeating: "b", count: 100))')"))) eq 1"),
        ("2.0.0", "$filter=length(replace(text,'t','\(String(repeating: "b", count: 100))')) eq 1"),
        ("2.0.0", "$filter=\((0..<100).map { "text eq 'a\($0)'" }.joined(separator: " or "))"),
        ("2.0.0", "$filter=\((0..<200).map { "length(toupper(text)) eq \($0)" }.joined(separator: " or "))"),
        ("3.0.0", "$filter=length(\(nested(60, "text"))) eq 1"),
        ("3.0.0", "$filter=\((0..<200).map { "substring(text,\($0)) eq 'a'" }.joined(separator: " or "))"),
        ("3.0.0", "$filter=\((0..<200).map { "matchespattern(text,'a\($0)')" }.joined(separator: " or "))"),
        ("3.0.0", "$filter=\(nested(60, "text")) in ('a','b')"),
        ("3.0.0", "$orderby=concat(text,text)"), ("3.0.0", "$orderby=tolower(text) desc"),
    ]

    private static func nested(_ depth: Int, _ text: String) -> String {
        String(repeating: "concat(", count: depth) + text + String(repeating: ",text)", count: depth)
    }

    private static func target(_ options: String) -> String {
        "/tables/TodoItem?$select=id&" + options.replacing(" ", with: "%20")
    }

    /// The most memory that a process has had so far, in bytes.
    private static func peak(of process: Int32) throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
        return try #require(Int(line.filter(\.isNumber))) << 10
    }

    /// Fills a table with texts of a megabyte and asks what no memory should be given for.
    private func ask(_ daemon: Daemon, processes: () throws -> [Int32]) throws {
        let client = try daemon.client()
        let text = String(repeating: "t", count: 1_000_000)
        for row in 0..<4 {
            let added = try client.exchange("POST", "/tables/TodoItem", #"{"id":"r\#(row)","text":"\#(text)"}"#)
            try #require(added.code == 201)
        }
        _ = try client.exchange("GET", Self.target("$filter=substringof('u',text)"))
        let before = Dictionary(uniqueKeysWithValues: try processes().map { ($0, try Self.peak(of: $0)) })
        for (version, options) in Self.bombs {
            let response = try client.exchange("GET", Self.target(options), "", ["ZUMO-API-VERSION: \(version)"])
            #expect(response.code == 400, "\(options.prefix(60)) \(response.text.prefix(100))")
            #expect(response.text.contains("too much memory"), "\(options.prefix(60)) \(response.text.prefix(100))")
        }
        for process in try processes() {
            let rest = before[process] ?? 48 << 20
            let peak = try Self.peak(of: process)
            #expect(peak < rest + 64 << 20, "\(process == daemon.processIdentifier): \(peak >> 20) MiB")
        }
        // What is read but not calculated with has no such bound.
        #expect(try client.exchange("GET", "/tables/TodoItem/r1").text.utf8.count > 1_000_000)
        #expect(try client.exchange("GET", Self.target("$filter=substringof('t',text)")).text.contains("r3"))
        #expect(try client.exchange("PATCH", "/tables/TodoItem/r1", #"{"text":"\#(text)u"}"#).code == 200)
    }

    @Test func `is bounded on SQLite, however much it would calculate with long texts`() throws {
        let daemon = try Daemon(Workplace())
        try ask(daemon) { [daemon.processIdentifier] }
        #expect(daemon.stop() == 0)
    }

    @Test(.enabled(if: SharedDatabase.server != nil, "no server is given: run scripts/test-postgres"))
    func `is bounded on PostgreSQL, however much it would calculate with long texts`() throws {
        let database = try SharedDatabase()
        let daemon = try Daemon(Workplace(), arguments: ["--database", database.url(named: "memory")])
        try ask(daemon) { try database.processes(of: "memory") + [daemon.processIdentifier] }
        #expect(daemon.stop() == 0)
    }

    @Test(
        .enabled(if: SharedDatabase.server != nil, "no server is given: run scripts/test-postgres"),
        .enabled(if: Extent.isWhole, "\(Extent.later)"))
    func `is that of its page on PostgreSQL, however many rows it has`() throws {
        let database = try SharedDatabase()
        let workplace = try Workplace([
            "zumod.yaml": "limits: { answerBytes: 4000000 }\n",
            "tables/TodoItem.yaml": "columns: { text: string }\npageSize: 200\n",
        ])
        let daemon = try Daemon(workplace, arguments: ["--database", database.url(named: "pages")])
        let client = try daemon.client()
        let text = String(repeating: "t", count: 1_000_000)
        for row in 0..<200 {
            let body = #"{"id":"r\#(row)","text":"\#(text)"}"#
            try #require(try client.exchange("POST", "/tables/TodoItem", body).code == 201)
        }
        let peak = try Self.peak(of: daemon.processIdentifier)
        for count in ["", "$count=true&"] {
            let target = "/tables/TodoItem?\(count)$orderby=id&$top=200"
            let page = try client.exchange("GET", target, "", ["ZUMO-API-VERSION: 3.0.0"])
            #expect(page.code == 200 && page.text.contains("r100") && page.text.contains("skiptoken"))
        }
        #expect(try Self.peak(of: daemon.processIdentifier) < peak + 64 << 20)
        #expect(daemon.stop() == 0)
    }

    @Test(.enabled(if: Extent.isWhole, "\(Extent.later)"))
    func `that is taken to sort is bounded on SQLite, and the server goes on`() throws {
        let daemon = try Daemon(Workplace())
        let client = try daemon.client()
        let text = String(repeating: "t", count: 1_000_000)
        for row in 0..<64 {
            let body = #"{"id":"r\#(row)","text":"\#(row)\#(text)"}"#
            try #require(try client.exchange("POST", "/tables/TodoItem", body).code == 201)
        }
        let peak = try Self.peak(of: daemon.processIdentifier)
        let refused = try Patience.inTime { try client.exchange("GET", Self.target("$orderby=text&$top=64")) }
        #expect(refused.code == 400 && refused.text.contains("too much memory"))
        #expect(try Self.peak(of: daemon.processIdentifier) < peak + 80 << 20)
        #expect(try Patience.inTime { try client.exchange("GET", Self.target("$orderby=text&$top=5")) }.code == 200)
        #expect(try Patience.inTime { try client.exchange("GET", Self.target("$top=64")) }.code == 200)
        #expect(daemon.stop() == 0)
    }
}
