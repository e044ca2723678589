import Access
import Foundation
import HTTPModel
import MetricSeries
public import Operating
import ServerConfiguration
import ServerLogging
import StoreMetrics
import Tables
import Webhooks

extension Application {
    /// Tries to read a first user's rows as a second one, on an empty database in memory with the configuration's own
    /// tables, rules and scripts, and none of its rows.
    /// - Returns: a line per table or finding, and the number of findings.
    public func attack() async throws(StartFault) -> (lines: [String], findings: Int) {
        var configuration = configuration
        configuration.database = .sqliteInMemory
        // Invented rows must not be reported to anyone.
        configuration.webhooks = [:]
        configuration.limits.userRequestsPerMinute = 0
        configuration.limits.addressRequestsPerMinute = 0
        configuration.requireVersion = false
        do {
            let minter = try configuration.auth.renewForTrial()
            let users = ["sid:attack-first", "sid:attack-second"]
            let tokens = try users.map { try minter.mint(user: $0, lifetime: nil, now: 0) }
            let keys = TokenKeys(configuration.auth)
            let reports = try await Application(configuration, extensions: extensions).attacked(
                keys, by: tokens.map { ["X-ZUMO-AUTH": $0] }, firstID: users[0])
            return (reports.flatMap(\.lines), reports.reduce(0) { $0 + $1.findings.count })
        } catch let error as TableError {
            throw StartFault(error)
        } catch {
            throw .configuration("the attack could not be made: \(error)")
        }
    }

    private func attacked(
        _ keys: TokenKeys, by users: [[String: String]], firstID: String
    ) async throws -> [Attack.Report] {
        let registry = MetricRegistry()
        let database = try await Database.open(configuration, watch: StoreInstrumentation(registry))
        var settings = LogSettings()
        settings.level = .critical
        let logger = Log(CurrentLogSettings(settings)) { _ in }
        let parts = ServerParts(self, over: database, measuredBy: registry, logger)
        let handler = handler(of: parts, by: keys)
        let attack = Attack(first: users[0], second: users[1], firstID: firstID) { request in
            await AttackResponse(handler.respond(to: HTTPRequest(request)))
        }
        var reports: [Attack.Report] = []
        for table in database.store.tables().sorted(by: { $0.name.text < $1.name.text }) {
            reports.append(try await attack.run(on: table))
        }
        await parts.webhooks.close()
        await database.close()
        return reports
    }
}

extension HTTPRequest {
    fileprivate init(_ request: AttackRequest) {
        var fields = HTTPFields()
        for (name, value) in request.fields.sorted(by: { $0.key < $1.key }) {
            guard let name = HTTPFieldName(name) else { continue }
            fields.append(named: name, value)
        }
        self.init(
            method: request.method, target: Array(request.target.utf8), fields: fields, body: Array(request.body.utf8),
            peer: "127.0.0.1")
    }
}

extension AttackResponse {
    fileprivate init(_ response: HTTPResponse) {
        let bytes: [UInt8] =
            switch response.body {
            case .bytes(let bytes): bytes
            case .buffers(let buffers): buffers.flatMap(\.self)
            // Tables don't send streams.
            case .stream: []
            }
        self.init(
            status: response.status.rawValue, fields: response.fields.all, body: String(decoding: bytes, as: UTF8.self))
    }
}
