import Conformance
import WireTesting

/// A server of a test's own as `zumod conformance` is told of it: the tables of the official client suites, with short
/// pages and a column of 64 bits.
enum JudgedServer {
    private static let table = """
        columns: { name: string, date1: date, bool: boolean, integer: number, number: number, big: integer }
        softDelete: true
        pageSize: 50
        access: application
        """

    static func with<Result: Sendable>(
        _ database: TestDatabase, _ body: @Sendable (TestServer) async throws -> Result
    ) async throws -> Result {
        let folder = "\(Fixture.package)/config/client-suites"
        let files = ["tables/StringIdRoundTripTableSoftDelete.yaml": table]
        return try await TestServer.with(on: database, fixture: folder, files: files, body)
    }

    /// Runs checks.
    static func report(
        port: UInt16, _ generation: WireGeneration, only patterns: [String] = []
    ) async throws -> ConformanceReport {
        let token = try SuiteClient.user().split(separator: " ").last.map(String.init)
        let target = try ConformanceTarget(
            address: "http://127.0.0.1:\(port)", table: "StringIdRoundTripTableSoftDelete",
            hardTable: "roundTripTable", guardedTable: "authenticated",
            columns: ConformanceTarget.usualColumns + ",int64=big", key: "client-suites-application-key",
            masterKey: nil, userToken: token, pageRows: 60)
        return try await ConformanceRun(target, [generation], only: patterns, transport: WireTransport(port: port))
            .run()
    }
}
