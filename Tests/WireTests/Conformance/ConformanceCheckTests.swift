import Conformance
import Testing
import WireTesting

@Suite struct `Conformance of this server` {
    @Test(arguments: WireGeneration.allCases, TestDatabase.all)
    func `every check passes`(_ generation: WireGeneration, on database: TestDatabase) async throws {
        try await JudgedServer.with(database) { server in
            let report = try await JudgedServer.report(port: server.port, generation)
            for result in report.results where result.isFailed {
                Issue.record("\(TextReport.lines(of: result).joined(separator: "\n"))")
            }
            let skipped = report.results.filter { !$0.isPassed && !$0.isFailed }.map(\.id)
            // v1's clients page by $skip alone, and this server names no next page to them.
            let linked = ["v1/page/a-cut-list-says-so", "v1/page/link-form", "v1/page/every-row-once"]
            #expect(skipped == (generation == .v1 ? linked : []))
            #expect(report.results.count >= (generation == .v2 ? 40 : 30))
            // The checks' rows are gone again.
            let rest = try await JudgedServer.report(port: server.port, generation, only: ["list/no-rows"])
            #expect(rest.passed == 1)
            let client = try WireClient(port: server.port)
            for table in ["StringIdRoundTripTableSoftDelete", "roundTripTable"] {
                let left = try client.exchange("GET", "/tables/\(table)", "", ["ZUMO-API-VERSION: 2.0.0"])
                #expect(left.text == "[]")
            }
        }
    }

    @Test(arguments: Fault.all)
    func `a fault between client and server is found, by the check that names it`(_ fault: Fault) async throws {
        try await JudgedServer.with(.sqlite) { server in
            let proxy = try RewritingProxy(
                to: server.port, changeRequest: fault.changeRequest, changeAnswer: fault.changeAnswer)
            defer { proxy.stop() }
            let generation = try #require(WireGeneration(rawValue: String(fault.check.prefix(2))))
            let report = try await JudgedServer.report(port: proxy.port, generation, only: [fault.check])
            let result = try #require(report.results.first { $0.id == fault.check })
            #expect(result.isFailed, "\(TextReport.lines(of: result).joined(separator: "\n"))")
        }
    }

    @Test func `there are thirty faults and more, and no two are found by one check alone`() {
        #expect(Fault.all.count >= 30)
        #expect(Set(Fault.all.map(\.check)).count >= 30)
        #expect(Set(Fault.all.map(\.name)).count == Fault.all.count)
    }

    @Test func `a proxy that changes nothing changes no verdict`() async throws {
        try await JudgedServer.with(.sqlite) { server in
            let proxy = try RewritingProxy(to: server.port)
            defer { proxy.stop() }
            for generation in WireGeneration.allCases {
                let checks = Set(Fault.all.map(\.check).filter { $0.hasPrefix(generation.rawValue) })
                let report = try await JudgedServer.report(port: proxy.port, generation, only: checks.sorted())
                let failed = report.results.filter { checks.contains($0.id) && !$0.isPassed }
                #expect(failed.map(\.id) == [])
            }
        }
    }
}
