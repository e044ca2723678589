import DeviceRecording
import JSONText
import Scalars
import SyncTesting
import Tables
import Testing
import WireTesting

@testable import ServerApp

@Suite struct `What is known of a device` {
    /// What is in the database once all is written.
    private func devices(of server: TestServer) async throws -> [Device] {
        await server.recorder.flush(isLast: true)
        return try await server.devices.devices(limit: 10)
    }

    private func behind(_ sighting: DeviceSighting, on server: TestServer) async throws -> [Int] {
        let table = try #require(server.store.table(named: sighting.key.table))
        let stamp = try #require(sighting.pull?.stamp)
        return try await server.devices.countChanges(since: [TableProgress(table, stamp)], limit: 1_000)
    }

    @Test(arguments: ClientKind.served, TestDatabase.all)
    func `is how far its pulls have come, what it pushed and which conflicts it met`(
        _ kind: ClientKind, on database: TestDatabase
    ) async throws {
        try await TestServer.with(on: database, lines: kind.lines(pageSize: 3)) { server in
            let editor = try Editor(port: server.port)
            for number in 0..<5 { try editor.insert(number) }
            let client = kind.client(of: server, pageSize: 3)
            try client.pull()
            // The Community Toolkit says of no installation, nor does who only edits.
            guard kind != .toolkit else { return #expect(try await devices(of: server) == []) }
            var device = try #require(try await devices(of: server).first)
            #expect(device.tables.count == 1 && device.sdk?.isEmpty == false && device.user == nil)
            let pull = try #require(device.tables[0].pull)
            #expect(pull.rows >= 5 && device.tables[0].pushedAt == nil && device.conflicts == 0)
            #expect(try await behind(device.tables[0], on: server) == [0])

            for number in 0..<2 { try editor.touch("row-\(number)", "newer") }
            #expect(try await behind(device.tables[0], on: server) == [2])
            client.update("row-0", ["text": .string("own")])
            try client.push()
            try client.pull()
            device = try #require(try await devices(of: server).first)
            #expect(device.conflicts == 1 && device.tables[0].pushedAt != nil)
            #expect(try await behind(device.tables[0], on: server) == [0])
            #expect(try await devices(of: server).count == 1)
        }
    }

    @Test(arguments: TestDatabase.all)
    func `is how far a pull has come whose links say its long query in short`(on database: TestDatabase) async throws {
        try await TestServer.with(on: database, lines: ["pageSize: 2"]) { server in
            let editor = try Editor(port: server.port)
            for number in 0..<5 { try editor.insert(number) }
            let conditions = (0..<150).map { "id%20ne%20'other-row-with-a-long-name-\($0)'" }.joined(
                separator: "%20and%20")
            let client = try WireClient(port: server.port)
            var next: String? = "/tables/todo?$filter=\(conditions)&$orderby=updatedAt&__includeDeleted=true"
            var stamps: [Instant?] = []
            while let path = next {
                let answer = try client.exchange("GET", path, "", ["X-ZUMO-INSTALLATION-ID: phone"])
                try #require(answer.code == 200, "\(answer.text)")
                next = try answer["Link"].map { link in
                    String(
                        link[try #require(link.firstRange(of: "/tables/")).lowerBound...].dropLast("; rel=next".count))
                }
                #expect(next?.contains("filter") != true)
                stamps.append(try #require(try await devices(of: server).first).tables[0].pull?.stamp)
            }
            #expect(stamps.count == 3 && Set(stamps).count == 3)
            #expect(try await behind(try #require(try await devices(of: server).first).tables[0], on: server) == [0])
        }
    }

    @Test func `is nothing where nothing is to be recorded`() async throws {
        try await TestServer.with(on: .sqlite, lines: ["devices: { record: false }"]) { server in
            try ClientKind.dotnet4.client(of: server).pull()
            #expect(try await devices(of: server) == [])
        }
    }
}
