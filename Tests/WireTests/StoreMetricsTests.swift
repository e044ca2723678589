import Foundation
import ServerMetrics
import StoreMetrics
import Synchronization
import Tables
import Testing
import WireTesting

@testable import ServerApp

@Suite struct `What a store measures of itself` {
    /// Keeps every statement.
    private final class Statements: StatementLog {
        struct Told {
            let sql: String
            let plan: String?
        }

        private let told = Mutex<[Told]>([])
        var threshold: Int64 { 0 }
        var all: [Told] { told.withLock { $0 } }

        func tell(_ sql: String, took nanoseconds: Int64, plan: () -> String?) {
            // Asking for the plan is a statement too.
            let plan = sql.hasPrefix("EXPLAIN") ? nil : plan()
            told.withLock { $0.append(Told(sql: sql, plan: plan)) }
        }
    }

    @Test(arguments: TestDatabase.all)
    func `is what it did, by operation, and what waited`(on database: TestDatabase) async throws {
        try await TestServer.with(on: database) { server in
            let client = try WireClient(port: server.port)
            for number in 0..<5 {
                #expect(try client.exchange("POST", "/tables/todo", #"{"id":"\#(number)"}"#).code == 201)
            }
            #expect(try client.exchange("DELETE", "/tables/todo/0").code < 300)
            #expect(try client.exchange("GET", "/tables/todo/1").code == 200)
            #expect(try client.exchange("GET", "/tables/todo").code == 200)
            let page = try MetricsText(try client.exchange("GET", "/metrics").text)
            for operation in ["select", "insert", "update", "commit"] {
                let count = page.value("zumod_statement_duration_seconds_count", ["operation": operation]) ?? 0
                #expect(count >= 1, "\(operation)")
            }
            #expect(try #require(page.value("zumod_commits_total")) >= 1)
            #expect(page.value("zumod_committed_writes_total") == 6)
            #expect(page.value("zumod_queue_wait_seconds_count", ["queue": "writes"]) == 6)
            #expect(page.value("zumod_queue_wait_seconds_count", ["queue": "lists"]) == 1)
            for queue in ["lists", "writes"] { #expect(page.value("zumod_queue_length", ["queue": queue]) == 0) }
            #expect(try #require(page.value("process_resident_memory_bytes")) > 1_000_000)
            #expect(try #require(page.value("process_open_fds")) > 3)
            #expect(try #require(page.value("process_max_fds")) > 3)
            #expect(try #require(page.value("process_cpu_seconds_total")) > 0)
            #expect(page.value("zumod_buffer_limit_bytes") == Double(512 << 20))
        }
    }

    @Test(arguments: TestDatabase.all)
    func `is how many rows its tables hold, counted in the background`(on database: TestDatabase) async throws {
        try await TestServer.with(on: database) { server in
            let client = try WireClient(port: server.port)
            for number in 0..<7 {
                #expect(try client.exchange("POST", "/tables/todo", #"{"id":"\#(number)"}"#).code == 201)
            }
            #expect(try client.exchange("DELETE", "/tables/todo/0").code < 300)
            #expect(try MetricsText(try client.exchange("GET", "/metrics").text).value("zumod_table_rows") == nil)
            let census = try #require(server.census)
            // PostgreSQL gathers its numbers in its own time.
            try await Patience.eventually {
                await census.count()
                return census.last[Identifier("todo")!]?.rows == 7
            }
            let page = try MetricsText(try client.exchange("GET", "/metrics").text)
            #expect(page.value("zumod_table_rows", ["table": "todo"]) == 7)
            if database == .sqlite { #expect(page.value("zumod_table_tombstones", ["table": "todo"]) == 1) }
        }
    }

    @Test(arguments: TestDatabase.all)
    func `tells statements and plans without a value in them`(on database: TestDatabase) async throws {
        let statements = Statements()
        try await TestServer.with(on: database, statements: statements) { server in
            let client = try WireClient(port: server.port)
            #expect(try client.exchange("POST", "/tables/todo", #"{"id":"SECRET1","text":"SECRET2"}"#).code == 201)
            #expect(try client.exchange("GET", "/tables/todo/SECRET1").code == 200)
            #expect(
                try client.exchange("GET", "/tables/todo?$filter=text%20eq%20'SECRET2'&$inlinecount=allpages").code
                    == 200)
            let told = statements.all
            for word in ["INSERT", "SELECT", "COMMIT"] { #expect(told.contains { $0.sql.hasPrefix(word) }) }
            #expect(!told.contains { "\($0)".contains("SECRET") })
            // PostgreSQL tells plans for any values since 16.
            if database == .sqlite { #expect(told.contains { $0.plan?.contains("todo") == true }) }
        }
    }

    @Test(arguments: TestDatabase.all)
    func `has every name that the dashboard and the alert rules ask for`(on database: TestDatabase) async throws {
        let webhook = ["tables/told.yaml": "webhook: { url: 'http://127.0.0.1:9/' }"]
        try await TestServer.with(on: database, files: webhook) { server in
            let client = try WireClient(port: server.port)
            #expect(try client.exchange("POST", "/tables/todo", #"{"id":"a"}"#).code == 201)
            try await Patience.eventually {
                await server.census?.count()
                return server.census?.last[Identifier("todo")!] != nil
            }
            let names = Set(try MetricsText(try client.exchange("GET", "/metrics").text).samples.map(\.name))
            let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent()
            for path in ["docker/grafana/dashboards/zumod.json", "docker/prometheus/zumod.rules.yml"] {
                let text = try String(contentsOf: root.appending(path: path), encoding: .utf8)
                let asked = Set(text.matches(of: /\b(?:zumod|process)_[a-z_]+/).map { String($0.output) })
                #expect(asked.count > 10)
                for name in asked {
                    // SQLite has no connections to speak of, and its tombstones are told in another test.
                    if database == .sqlite, name.hasPrefix("zumod_database_connection") { continue }
                    // PostgreSQL knows of tombstones once it has analysed the table.
                    if database != .sqlite, name == "zumod_table_tombstones" { continue }
                    // This server speaks plain HTTP; `SecuredTests` look for the name.
                    if name == "zumod_tls_certificate_expiry_timestamp_seconds" { continue }
                    // This server has no scripts; `ScriptTests` look for the name.
                    if name == "zumod_script_workers" { continue }
                    #expect(names.contains(name), "\(path) asks for \(name)")
                }
            }
        }
    }
}
