import HTTPModel
import Scalars
import Synchronization
import Tables
import Testing
import ZumoProtocol

@testable import DeviceRecording

@Suite("What is recorded of installations")
struct DeviceRecorderTests {
    private let store = Sheet()
    private let reports = Reports()
    private let now = Instant(milliseconds: 1_800_000_000_000)

    /// A store of sightings that can be made to fail.
    private final class Sheet: DeviceStore {
        private struct State {
            var records: [[DeviceSighting]] = []
            var isBroken = false
            var forgotten: [Instant] = []
        }

        private let state = Mutex(State())
        var isBroken: Bool {
            get { state.withLock { $0.isBroken } }
            set { state.withLock { $0.isBroken = newValue } }
        }
        var records: [[DeviceSighting]] { state.withLock { $0.records } }
        var forgotten: [Instant] { state.withLock { $0.forgotten } }

        func record(_ sightings: [DeviceSighting]) async throws(TableError) {
            if isBroken { throw .unavailable(detail: "away") }
            state.withLock { $0.records.append(sightings) }
        }

        func devices(limit: Int) async throws(TableError) -> [Device] { [] }
        func countChanges(since places: [TableProgress], limit: Int) async throws(TableError) -> [Int] { [] }
        func forgetDevices(unseenSince instant: Instant) async throws(TableError) -> Int {
            state.withLock { $0.forgotten.append(instant) }
            return 0
        }
    }

    /// What the recorder says about its failures.
    private final class Reports: Sendable {
        private let errors = Mutex<[TableError]>([])
        var all: [TableError] { errors.withLock { $0 } }
        func append(_ error: TableError) { errors.withLock { $0.append(error) } }
    }

    private func recorder() -> DeviceRecorder {
        DeviceRecorder(store, clock: { [now] in now }) { [reports] in reports.append($0) }
    }

    private func event(
        _ operation: Tables.Operation = .insert, of installation: String? = "phone", table: String? = "todo",
        status: HTTPStatus = .ok, target: String = "/tables/todo", group: RouteGroup = .tables,
        body: String? = nil, rows: Int? = nil, version: String? = "ZUMO/3.1", generation: Generation = .v2
    ) -> RequestEvent {
        var fields = HTTPFields()
        if let installation { fields.append("X-ZUMO-INSTALLATION-ID", installation) }
        if let version { fields.append("X-ZUMO-VERSION", version) }
        fields.append("User-Agent", "browser")
        var response = HTTPResponse(status, body: Array((body ?? "").utf8))
        response.itemCount = rows
        var answer = RouteResponse(response, to: RequestCaller(generation))
        answer.table = table
        answer.operation = operation
        return RequestEvent(
            id: "1", request: HTTPRequest(method: .get, target: Array(target.utf8), fields: fields), answer: answer,
            group: group, isProbe: false, nanoseconds: 0)
    }

    private func sighting(_ event: RequestEvent) -> DeviceSighting? {
        DeviceObservation.sighting(of: event, by: { now })
    }

    @Test func `a write is a push, and one that is refused for its version a conflict`() throws {
        for operation in [Tables.Operation.insert, .update, .delete, .undelete] {
            let written = try #require(sighting(event(operation)))
            #expect(written.key == DeviceSighting.Key(installation: "phone", table: try #require(Identifier("todo"))))
            #expect(written.pushedAt == now && written.seenAt == now && written.conflicts == 0 && written.pull == nil)
            #expect(written.sdk == "ZUMO/3.1" && written.generation == "v2")
            for status in [HTTPStatus.conflict, .preconditionFailed] {
                #expect(sighting(event(operation, status: status))?.conflicts == 1)
            }
        }
        #expect(sighting(event(version: nil))?.sdk == "browser")
    }

    @Test func `nothing is told by others than installations, nor by who was not let in`() {
        #expect(sighting(event(of: nil)) == nil)
        #expect(sighting(event(of: "")) == nil)
        #expect(sighting(event(of: String(repeating: "x", count: 201))) == nil)
        #expect(sighting(event(of: String(repeating: "x", count: 200))) != nil)
        #expect(sighting(event(table: nil)) == nil)
        #expect(sighting(event(table: "no name")) == nil)
        #expect(sighting(event(group: .api)) == nil)
        for status in [HTTPStatus.unauthorized, .forbidden, .notFound, .internalServerError] {
            #expect(sighting(event(status: status)) == nil)
        }
        // A look at a row that is the one known.
        #expect(sighting(event(.read, status: .preconditionFailed)) == nil)
    }

    @Test func `long texts of a client are cut between characters`() {
        let sdk = sighting(event(version: String(repeating: "é", count: 300)))?.sdk
        #expect(sdk == String(repeating: "é", count: 100))
    }

    /// Addresses as the client libraries send them.
    @Test(arguments: [
        "$filter=updatedAt%20ge%20datetimeoffset'2026-11-21T12:00:00.000Z'&$orderby=updatedAt",
        "$filter=(done%20eq%20false%20and%20(__updatedAt%20ge%20datetime'2026-11-21T12:00:00.000Z'))&$orderby=__updatedAt",
        "$filter=(updatedAt+gt+cast(2026-11-21T12:00:00.000Z,Edm.DateTimeOffset))&$orderby=updatedAt&$skip=0",
        "$filter=((a+eq+1)+and+(updatedAt+ge+datetimeoffset'2026-11-21T12:00:00.000%2B00:00'))&$orderby=updatedAt+asc",
    ])
    func `a pull says from where on, and its last row how far it has come`(query: String) throws {
        let start = try #require(Instant("2026-11-21T12:00:00.000Z"))
        let target = "/tables/todo?\(query)"
        let empty = try #require(sighting(event(.read, target: target, body: "[]", rows: 0)))
        #expect(empty.pull == DeviceSighting.Pull(at: now, stamp: start, rows: 0) && empty.pushedAt == nil)
        let name = query.contains("__updatedAt") ? "__updatedAt" : "updatedAt"
        let other = #""myupdatedAt":"1999-01-01T00:00:00.000Z","text":"\"updatedAt\":\"""#
        let row = #"{"id":"a","\#(name)":"2026-11-22T01:02:03.004Z",\#(other)}"#
        let full = try #require(sighting(event(.read, target: target, body: "[\(row)]", rows: 1)))
        #expect(full.pull?.stamp == Instant("2026-11-22T01:02:03.004Z") && full.pull?.rows == 1)
    }

    @Test func `a list that asks for no changes is no pull, and a row that is found neither`() {
        for query in ["", "?$filter=text%20eq%20'updatedAt'", "?$orderby=updatedAt%20desc", "?$orderby=text,updatedAt"]
        {
            let seen = sighting(event(.read, target: "/tables/todo\(query)", body: "[]", rows: 0))
            #expect(seen != nil && seen?.pull == nil)
        }
        let found = event(.read, target: "/tables/todo/updatedAt", body: #"{"updatedAt":"2026-11-22T01:02:03.004Z"}"#)
        #expect(sighting(found)?.pull == nil)
    }

    @Test(
        arguments: [
            ("$filter=updatedAt%20ge%20datetime'2026-11-21T12:00:00.000Z'&$orderby=updatedAt", nil),
            ("$filter=__own_updatedAt%20gt%20datetime'2026-11-21T12:00:00.000Z'&$orderby=__own_updatedAt", nil),
            (
                "$filter=__updatedAt%20gt%20datetime'2026-11-21T12:00:00Z'&$orderby=updatedAt",
                "2026-11-21T12:00:00.000Z"
            ),
            ("$orderby=__updatedAt", "2026-11-22T01:02:03.004Z"),
            (
                "$filter=(updatedAt%20ge%20datetime'2027-01-01T00:00:00Z'%20and%20__updatedAt%20ge%20"
                    + "datetime'2026-11-21T12:00:00Z')&$orderby=__updatedAt%20asc", "2026-11-22T01:02:03.004Z"
            ),
        ] as [(String, String?)])
    func `a v1 client's updatedAt without underscores is the app's own, and says nothing`(
        query: String, stamp: String?
    ) throws {
        let body = #"[{"id":"a","__updatedAt":"2026-11-22T01:02:03.004Z","updatedAt":"2027-11-22T01:02:03.004Z"}]"#
        let seen = try #require(
            sighting(event(.read, target: "/tables/todo?\(query)", body: body, rows: 1, generation: .v1)))
        #expect(seen.pull?.stamp == stamp.flatMap { Instant($0) } && (seen.pull == nil) == (stamp == nil))
        // Without the server's column the last row says nothing either.
        let own = #"[{"id":"a","updatedAt":"2027-11-22T01:02:03.004Z"}]"#
        let bare = event(.read, target: "/tables/todo?$orderby=__updatedAt", body: own, rows: 1, generation: .v1)
        #expect(sighting(bare)?.pull == DeviceSighting.Pull(at: now, stamp: nil, rows: 1))
    }

    @Test func `a column of the app's own says nothing to later clients either`() {
        let body = #"[{"id":"a","updatedAt":"2026-11-22T01:02:03.004Z","__own_updatedAt":"2027-11-22T01:02:03.004Z"}]"#
        func pull(_ query: String) -> DeviceSighting.Pull? {
            sighting(event(.read, target: "/tables/todo?\(query)", body: body, rows: 1))?.pull
        }
        let after = "updatedAt%20gt%20datetime'2027-01-01T00:00:00.000Z'"
        #expect(pull("$filter=__own_\(after)&$orderby=__own_updatedAt") == nil && pull("$filter=my_\(after)") == nil)
        #expect(
            pull("$filter=__own_\(after)&$orderby=updatedAt")?.stamp == Instant("2026-11-22T01:02:03.004Z"))
    }

    @Test func `where rows come in another order the stamp is the one that was asked from`() {
        let target = "/tables/todo?$filter=updatedAt%20ge%20datetimeoffset'2026-11-21T12:00:00.000Z'"
        let body = #"[{"updatedAt":"2026-11-22T01:02:03.004Z"}]"#
        #expect(
            sighting(event(.read, target: target, body: body, rows: 1))?.pull?.stamp
                == Instant("2026-11-21T12:00:00.000Z"))
    }

    @Test func `one installation and table is written once a minute, with all that was seen of it`() async {
        let recorder = recorder()
        let start = ContinuousClock.now
        for _ in 0..<3 { recorder.end(event(status: .conflict)) }
        await recorder.flush(at: start)
        #expect(store.records.map { $0.map(\.conflicts) } == [[3]])
        recorder.end(event(status: .conflict))
        recorder.end(event(of: "tablet"))
        await recorder.flush(at: start + .seconds(59))
        #expect(store.records.last?.map(\.key.installation) == ["tablet"])
        await recorder.flush(at: start + .seconds(60))
        #expect(store.records.count == 3 && store.records.last?.map(\.key.installation) == ["phone"])
        await recorder.flush(at: start + .seconds(600))
        #expect(store.records.count == 3)
    }

    @Test func `a server that stops writes what is left`() async {
        let recorder = recorder()
        recorder.end(event())
        await recorder.flush()
        recorder.end(event())
        await recorder.flush(isLast: true)
        #expect(store.records.count == 2)
    }

    @Test func `what can't be written is said once, kept and written later`() async {
        let recorder = recorder()
        let start = ContinuousClock.now
        store.isBroken = true
        recorder.end(event(status: .conflict))
        for minute in 0..<3 {
            await recorder.flush(at: start + .seconds(minute * 60))
            recorder.end(event(status: .conflict))
        }
        #expect(reports.all.map(\.detail) == ["away"])
        store.isBroken = false
        await recorder.flush(at: start + .seconds(300))
        #expect(store.records.map { $0.map(\.conflicts) } == [[4]])
    }

    @Test func `no more than two thousand are known at a time, written in steps`() async {
        let recorder = recorder()
        for number in 0..<2_100 { recorder.end(event(of: "phone \(number)")) }
        await recorder.flush()
        #expect(store.records.map(\.count) == Array(repeating: 200, count: 10))
        // They are let go once a minute is over.
        await recorder.flush(at: .now + .seconds(61))
        recorder.end(event(of: "another"))
        await recorder.flush()
        #expect(store.records.last?.map(\.key.installation) == ["another"])
    }

    @Test func `what was not seen for ninety days is forgotten`() async throws {
        let recorder = recorder()
        let running = Task { await recorder.run(every: .milliseconds(1)) }
        while store.forgotten.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
        running.cancel()
        await running.value
        #expect(store.forgotten == [Instant(milliseconds: now.milliseconds - 90 * 86_400_000)])
    }
}
