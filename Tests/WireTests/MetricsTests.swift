import HTTPModel
import Scalars
import Tables
import Testing
import WireTesting

@Suite struct `What the server measures of itself` {
    /// A time that no test's rows come near by themselves.
    private static let noon = Instant(milliseconds: 4_102_444_800_000)

    @Test(arguments: TestDatabase.all)
    func `is told of requests by route, method and status, without a word of the client's`(
        on database: TestDatabase
    ) async throws {
        try await TestServer.with(on: database, lines: [UserTokens.line]) { server in
            let client = try WireClient(port: server.port)
            let row = #"{"id":"secret-id","text":"secret text"}"#
            let requests: [(String, String, String, Int, String)] = [
                ("POST", "/tables/todo", row, 201, "tables"), ("POST", "/tables/todo", row, 409, "tables"),
                ("GET", "/tables/todo/secret-id", "", 200, "tables"), ("GET", "/TABLES/todo", "", 200, "tables"),
                ("GET", "/tables/secret_table", "", 404, "tables"), ("GET", "/api/secret_api", "", 404, "api"),
                ("SECRET", "/tables/todo", "", 405, "tables"), ("GET", "/.auth/me", "", 401, "auth"),
                ("GET", "/push/installations/secret", "", 404, "push"), ("GET", "/secret", "", 404, "other"),
                ("GET", "/%zz", "", 400, "other"), ("HEAD", "/healthz", "", 200, "other"),
            ]
            for (method, target, body, code, _) in requests {
                try client.send(
                    "\(method) \(target) HTTP/1.1\r\nHost: secret\r\nContent-Type: application/json\r\n"
                        + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
                #expect(try client.response(hasBody: method != "HEAD").code == code, "\(method) \(target)")
            }
            let response = try client.exchange("GET", "/metrics")
            #expect(response.code == 200)
            #expect(response["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8")
            #expect(!response.text.lowercased().contains("secret"))
            let page = try MetricsText(response.text)
            for (method, _, _, code, route) in requests {
                let known = method == "SECRET" ? "OTHER" : method
                let same = requests.count { $0.0 == method && $0.3 == code && $0.4 == route }
                let labels = ["route": route, "method": known, "status": String(code)]
                #expect(page.value("zumod_requests_total", labels) == Double(same), "\(labels)")
            }
            for route in ["tables", "api", "auth", "push", "other"] {
                let count = requests.count { $0.4 == route }
                #expect(page.value("zumod_request_duration_seconds_count", ["route": route]) == Double(count))
            }
            #expect(page.value("zumod_database_reachable") == 1)
            #expect(page.value("zumod_connections_open") == 1)
            #expect(page.value("zumod_connections_refused_total") == 0)
            #expect(page.samples.contains { $0.name == "zumod_build_info" && $0.value == 1 })
            // Between requests nothing is counted but the page itself.
            let again = try MetricsText(try client.exchange("GET", "/metrics").text)
            let labels = ["route": "other", "method": "GET", "status": "200"]
            #expect(again.value("zumod_requests_total", labels) == 1)
        }
    }

    @Test(arguments: TestDatabase.all)
    func `is how far a table's stamps are ahead of the clock`(on database: TestDatabase) async throws {
        try await TestServer.with(on: database, lines: [UserTokens.line], clock: { Self.noon }) { server in
            let client = try WireClient(port: server.port)
            #expect(try client.exchange("POST", "/tables/hard", #"{"id":"a"}"#).code == 201)
            #expect(try Self.drift(of: "todo", client) == 0)
            let table = try #require(server.store.table(named: Identifier("todo")!))
            let ahead = Instant(milliseconds: Self.noon.milliseconds + 3_600_000)
            let row = Self.row("a", stamp: ahead)
            _ = try await server.store.importRows(ImportBatch(rows: [row]), into: table)
            #expect(try Self.drift(of: "todo", client) == 3_600)
            // The next stamp is the next millisecond: the table stays ahead until the clock has caught up.
            #expect(try client.exchange("POST", "/tables/todo", #"{"id":"b"}"#).code == 201)
            #expect(try Self.drift(of: "todo", client) == 3_600.001)
            #expect(try Self.drift(of: "hard", client) == 0)
        }
    }

    @Test(arguments: TestDatabase.all)
    func `names no table that a client made`(on database: TestDatabase) async throws {
        try await TestServer.with(on: database, lines: ["autoCreateTables: true"], clock: { Self.noon }) { server in
            let client = try WireClient(port: server.port)
            #expect(try client.exchange("POST", "/tables/invented", #"{"id":"a"}"#).code == 201)
            let table = try #require(server.store.table(named: Identifier("invented")!))
            let marks = TransferMarks(lastStamp: Instant(milliseconds: Self.noon.milliseconds + 5_000))
            let batch = ImportBatch(rows: [Self.row("b", stamp: Self.noon)], marks: marks)
            _ = try await server.store.importRows(batch, into: table)
            #expect(try !client.exchange("GET", "/metrics").text.contains("invented"))
            #expect(try Self.drift(of: "(others)", client) == 5)
        }
    }

    @Test(arguments: TestDatabase.all)
    func `is for this machine, and through a proxy for admins`(on database: TestDatabase) async throws {
        try await TestServer.with(on: database, lines: [UserTokens.line]) { server in
            let client = try WireClient(port: server.port)
            let proxied = "X-Forwarded-For: 127.0.0.1"
            let user = try UserTokens.field("sid:alice")
            #expect(try client.exchange("GET", "/metrics").code == 200)
            #expect(try client.exchange("HEAD", "/metrics").code == 200)
            #expect(try client.exchange("POST", "/metrics").code == 405)
            for fields in [[], [user], ["X-ZUMO-MASTER: other"], ["X-ZUMO-AUTH: forged"]] {
                let refusal = try client.exchange("GET", "/metrics", "", fields + [proxied])
                #expect(refusal.code == 401, "\(fields)")
                #expect(try refusal.row["error"]?.text != nil)
            }
            #expect(try client.exchange("GET", "/metrics", "", ["X-ZUMO-MASTER: master", proxied]).code == 200)
            let page = try MetricsText(try client.exchange("GET", "/metrics").text)
            #expect(!page.samples.contains { $0.labels.values.contains { $0.contains("alice") } })
        }
    }

    @Test(arguments: TestDatabase.all)
    func `is not for web pages in a browser on this machine`(on database: TestDatabase) async throws {
        try await TestServer.with(on: database, lines: [UserTokens.line, "cors: { origins: ['*'] }"]) { server in
            let client = try WireClient(port: server.port)
            func code(_ path: String, host: String, _ fields: String...) throws -> Int {
                let lines = (["Host: \(host)"] + fields).joined(separator: "\r\n")
                try client.send("GET \(path) HTTP/1.1\r\n\(lines)\r\n\r\n")
                return try client.response().code
            }
            for path in ["/metrics", "/openapi.json"] {
                // A name that leads here for a page whose host it is (DNS rebinding).
                for host in ["evil.example", "evil.example:8080", "localhost.evil.example", "localhost."] {
                    #expect(try code(path, host: host) == 401, "\(path) \(host)")
                }
                for host in ["localhost", "LOCALHOST:8080", "127.0.0.1:8080", "[::1]:8080", "192.0.2.7"] {
                    #expect(try code(path, host: host) == 200, "\(path) \(host)")
                }
                for origin in ["https://evil.example", "http://localhost:3000", "null"] {
                    #expect(try code(path, host: "localhost", "Origin: \(origin)") == 401, "\(path) \(origin)")
                }
                let key = "X-ZUMO-MASTER: master"
                #expect(try code(path, host: "db.example", key) == 200)
                #expect(try code(path, host: "db.example", "Origin: http://localhost", key) == 200)
            }
        }
    }

    @Test func `counts requests that never became one, and connections that are one too many`() async throws {
        try await TestServer.with(on: .sqlite, lines: ["limits: { connections: 2 }"]) { server in
            let client = try WireClient(port: server.port)
            do {
                let other = try WireClient(port: server.port)
                try other.send("NONSENSE\r\n\r\n")
                #expect(try other.response().code == 400)
                #expect(other.isClosedByServer())
            }
            try await Self.wait(for: "zumod_connections_open", toBe: 1, client)
            do {
                let second = try WireClient(port: server.port)
                #expect(try second.exchange("GET", "/healthz").code == 200)
                let third = try WireClient(port: server.port)
                #expect(try third.response().code == 503)
            }
            try await Self.wait(for: "zumod_connections_open", toBe: 1, client)
            let page = try MetricsText(try client.exchange("GET", "/metrics").text)
            #expect(page.value("zumod_connections_refused_total") == 1)
            for status in ["400", "503"] {
                let labels = ["route": "unread", "method": "OTHER", "status": status]
                #expect(page.value("zumod_requests_total", labels) == 1)
            }
            #expect(page.value("zumod_request_duration_seconds_count", ["route": "unread"]) == nil)
        }
    }

    private static let counters = [
        "process_cpu_seconds_total", "zumod_access_failures_total", "zumod_answers_cut_total",
        "zumod_commits_failed_total",
        "zumod_commits_total", "zumod_committed_writes_total", "zumod_configuration_loads_total",
        "zumod_connections_refused_total", "zumod_log_lines_dropped_total", "zumod_queue_refused_total",
        "zumod_repeated_writes_total", "zumod_requests_total", "zumod_tls_failures_total",
        "zumod_webhook_attempts_failed_total", "zumod_webhook_notices_lost_total",
        "zumod_webhook_notices_sent_total",
    ]
    private static let gauges = [
        "process_max_fds", "process_open_fds", "process_resident_memory_bytes", "process_start_time_seconds",
        "process_virtual_memory_bytes", "zumod_buffer_limit_bytes", "zumod_buffered_bytes", "zumod_build_info",
        "zumod_connections_limit", "zumod_connections_open", "zumod_database_reachable", "zumod_lists_running",
        "zumod_queue_length", "zumod_stamp_drift_seconds", "zumod_webhook_notices_waiting",
    ]
    private static let histograms = [
        "zumod_queue_wait_seconds", "zumod_request_duration_seconds", "zumod_statement_duration_seconds",
    ]

    /// Dashboards and alerts know the families by name and type.
    @Test func `are the families that others build on`() async throws {
        let webhook = ["tables/told.yaml": "webhook: { url: 'http://127.0.0.1:9/' }"]
        try await TestServer.with(on: .sqlite, files: webhook) { server in
            let client = try WireClient(port: server.port)
            #expect(try client.exchange("GET", "/healthz").code == 200)
            let page = try MetricsText(try client.exchange("GET", "/metrics").text)
            var types: [String: String] = [:]
            for name in Self.counters { types[name] = "counter" }
            for name in Self.gauges { types[name] = "gauge" }
            for name in Self.histograms { types[name] = "histogram" }
            #expect(page.types == types)
        }
    }

    private static func row(_ id: String, stamp: Instant) -> ImportRow {
        ImportRow(
            id: .text(id), createdAt: nil, updatedAt: stamp, version: Version(counter: 1_000), isDeleted: false,
            assignments: [])
    }

    private static func drift(of table: String, _ client: WireClient) throws -> Double? {
        try MetricsText(try client.exchange("GET", "/metrics").text)
            .value("zumod_stamp_drift_seconds", ["table": table])
    }

    /// Connections close on the server a little after they do here.
    private static func wait(for name: String, toBe value: Double, _ client: WireClient) async throws {
        let isSo = try await Patience.eventually {
            try MetricsText(try client.exchange("GET", "/metrics").text).value(name) == value
        }
        #expect(isSo, "\(name) never was \(value)")
    }
}
