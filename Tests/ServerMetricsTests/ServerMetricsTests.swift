import HTTPModel
import SQLiteStorage
import Synchronization
import Tables
import Testing
import ZumoProtocol

@testable import ServerMetrics

@Suite struct `The server's metrics` {
    @Test func `are told also while the database is away, without what it alone knows`() async throws {
        let name = try #require(Identifier("TodoItem"))
        let store = try SQLiteTableStore.open(
            .memory, tables: [TableDefinition(name: name)], servesClientTables: false)
        // A busy machine takes its time.
        let metrics = ServerMetrics(
            version: "1.0", store, measuring: MeasuredConfiguration(tables: [name]), patience: .seconds(60))
        #expect(await page(metrics).contains("\nzumod_stamp_drift_seconds{table=\"TodoItem\"} 0\n"))
        #expect(await page(metrics).contains("\nzumod_database_reachable 1\n"))
        await store.close()
        #expect(await page(metrics).contains("\nzumod_stamp_drift_seconds{table=\"TodoItem\"} NaN\n"))
        #expect(await page(metrics).contains("\nzumod_database_reachable 0\n"))
    }

    @Test func `wait for a database that says nothing for a while only, and ask it once for all who wait`() async {
        let asked = Atomic(0)
        let (gate, end) = AsyncStream.makeStream(of: Void.self)
        let look = DatabaseProbe(patience: .milliseconds(50)) { () async throws(TableError) in
            asked.add(1, ordering: .relaxed)
            for await _ in gate {}
            return [:]
        }
        await withTaskGroup { group in
            for _ in 0..<100 { group.addTask { #expect(await look.stamps() == nil) } }
        }
        #expect(asked.load(ordering: .relaxed) == 1)
        end.finish()
    }

    @Test func `say about every family what it is`() async throws {
        let metrics = ServerMetrics(version: "1.0")
        metrics.requests.end(
            RequestEvent(
                id: "1", request: HTTPRequest(method: .get, target: []), answer: RouteResponse(HTTPResponse(.ok)),
                group: .tables, isProbe: false, nanoseconds: 1_000_000))
        let lines = await page(metrics).split(separator: "\n")
        let types = lines.filter { $0.hasPrefix("# TYPE") }
        #expect(types.count >= 4)
        #expect(lines.count { $0.hasPrefix("# HELP") } == types.count)
    }

    private func page(_ metrics: ServerMetrics) async -> String {
        String(decoding: await metrics.page(), as: UTF8.self)
    }
}
