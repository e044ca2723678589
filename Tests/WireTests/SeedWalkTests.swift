import JSONText
import SyncTesting
import Testing
import WireTesting

/// What the founding tutorials presume of a server, one after the other. Three of them (0, 2, 4) are translations of one
/// for the preview of offline sync and one (1) is for its release, all with Mobile Services; one (3) is for Mobile Apps.
struct SeedDemand: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The libraries of the tutorials that presume it.
    let kinds: [ClientKind]
    let check: @Sendable (SeedServer, ClientKind) throws -> Void

    init(
        _ sentence: String, _ kinds: [ClientKind] = [.ios2, .ios3],
        _ check: @escaping @Sendable (SeedServer, ClientKind) throws -> Void
    ) {
        testDescription = sentence
        self.kinds = kinds
        self.check = check
    }

    static let all: [SeedDemand] = items + syncing + conflicts + tools
}

/// The server of a tutorial: the table `TodoItem`, its two first rows deleted, and another table.
struct SeedServer: Sendable {
    let port: UInt16

    func client(
        _ kind: ClientKind, filter: String? = nil, isIncremental: Bool = true, pageSize: Int = 50,
        table: String = "TodoItem", choice: SyncClient.Choice = .serverWins
    ) -> SyncClient {
        var settings = PullSettings(table: table, pageSize: pageSize)
        settings.filter = filter
        settings.isIncremental = isIncremental
        let port = port
        return SyncClient(kind, settings, choice: choice) { port }
    }

    /// A client whose copy has so many rows, pushed to the server: every third is complete.
    func client(_ kind: ClientKind, with count: Int) throws -> SyncClient {
        let client = client(kind)
        for number in 0..<count { client.insert("row-\(number)", Self.item("item \(number)", number % 3 == 0)) }
        try client.push()
        return client
    }

    static func item(_ text: String, _ isComplete: Bool = false) -> [String: JSONValue] {
        ["text": .string(text), "complete": .boolean(isComplete)]
    }

    /// The live rows.
    func rows() throws -> [String: SyncedRow] {
        try ServerRows(of: "TodoItem", port: port).live
    }

    /// Sends a request as a generation does that a library speaks.
    func exchange(
        _ kind: ClientKind, _ method: String, _ target: String, _ body: String = "", _ fields: [String] = []
    ) throws -> WireResponse {
        let mark = kind == .ios2 ? "X-ZUMO-APPLICATION: app-key" : "ZUMO-API-VERSION: 2.0.0"
        return try WireClient(port: port).exchange(method, target, body, [mark] + fields)
    }
}

@Suite struct `The walk through the tutorials` {
    struct Step: Sendable, CustomTestStringConvertible {
        let demand: SeedDemand
        let kind: ClientKind

        var testDescription: String { "\(demand.testDescription) (\(kind))" }

        static let all = SeedDemand.all.flatMap { demand in
            demand.kinds.map { Step(demand: demand, kind: $0) }
        }
    }

    @Test(arguments: Step.all, TestDatabase.all)
    func `a tutorial's app finds what it presumes`(_ step: Step, on database: TestDatabase) async throws {
        let keys = ["auth: { applicationKey: app-key, masterKey: master-key }"]
        try await TestServer.with(on: database, lines: keys) { server in
            try step.demand.check(SeedServer(port: server.port), step.kind)
        }
    }

    @Test(arguments: TestDatabase.all)
    func `the quick start that is shipped has a table with two rows to be done`(on database: TestDatabase) async throws
    {
        try await TestServer.with(on: database, fixture: "../../../config") { server in
            let rows = try SeedServer(port: server.port).rows()
            let texts = rows.values.compactMap { $0.columns["text"]?.text }.sorted()
            #expect(texts == ["First item", "Second item"])
            #expect(rows.values.allSatisfy { $0.columns["complete"] == .boolean(false) })
        }
    }
}
