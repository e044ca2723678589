import Access
import JSONText
import Tables
import Testing
import WireTesting
import ZumodServer

/// Every operation of a table, asked for by every caller, in each generation, at every level of access.
@Suite struct `Who may do what with a table` {
    private enum Dialect: String, CaseIterable {
        case services, apps, datasync

        var fields: [String] {
            switch self {
            case .services: []
            case .apps: ["ZUMO-API-VERSION: 2.0.0"]
            case .datasync: ["ZUMO-API-VERSION: 3.0.0", "Content-Type: application/json"]
            }
        }

        /// What an error's body says of a text.
        func error(_ code: Int, _ text: String) -> String {
            self == .services
                ? #"{"code":\#(code),"error":"Error: \#(text)"}"# : #"{"error":"\#(text)","message":"\#(text)"}"#
        }
    }

    /// What is asked for: the method, the path behind the table, the body, and what it answers to those who may.
    private struct Demand {
        let operation: Operation
        let method: String
        let path: String
        let body: String
        let codes: [Dialect: Int]

        /// - Parameter id: of a row of this demand's own.
        static func all(_ id: String) -> [Demand] {
            func row(_ text: String) -> String { #"{"id":"\#(id)","text":"\#(text)"}"# }
            return [
                Demand(operation: .read, method: "GET", path: "", codes: [.services: 200, .apps: 200, .datasync: 200]),
                Demand(
                    operation: .insert, method: "POST", path: "", body: row("a"),
                    codes: [.services: 201, .apps: 201, .datasync: 201]),
                Demand(
                    operation: .read, method: "GET", path: "/\(id)",
                    codes: [.services: 200, .apps: 200, .datasync: 200]),
                Demand(operation: .read, method: "HEAD", path: "/\(id)", codes: [.apps: 200, .datasync: 200]),
                Demand(
                    operation: .update, method: "PATCH", path: "/\(id)", body: #"{"text":"b"}"#,
                    codes: [.services: 200, .apps: 200]),
                Demand(
                    operation: .update, method: "PUT", path: "/\(id)", body: row("c"), codes: [.datasync: 200]),
                Demand(
                    operation: .delete, method: "DELETE", path: "/\(id)",
                    codes: [.services: 204, .apps: 200, .datasync: 204]),
                // In v1 whoever may insert may undelete.
                Demand(operation: .insert, method: "POST", path: "/\(id)", codes: [.services: 200]),
                Demand(operation: .undelete, method: "POST", path: "/\(id)", codes: [.apps: 201]),
            ]
        }

        init(
            operation: Operation, method: String, path: String, body: String = "", codes: [Dialect: Int]
        ) {
            self.operation = operation
            self.method = method
            self.path = path
            self.body = body
            self.codes = codes
        }
    }

    private static let levels: [AccessLevel] = [.anonymous, .application, .authenticated, .admin, .disabled]
    private static let files: [String: String] = Dictionary(
        uniqueKeysWithValues: levels.map {
            ("tables/\($0.rawValue).yaml", "columns: { text: string }\nsoftDelete: true\naccess: \($0.rawValue)\n")
        })

    /// What somebody is answered who may not; nil for somebody who may.
    private static func refusal(
        of demand: Demand, at level: AccessLevel, _ caller: APICaller, _ dialect: Dialect
    ) -> (code: Int, text: String)? {
        let services = dialect == .services
        guard let levels = caller.levels(inServices: services) else {
            let text = caller.isExpired ? "The token has expired." : "The token is not valid."
            return (401, services ? "Unauthorized" : text)
        }
        if level == .disabled {
            return (405, "The operation '\(demand.operation.rawValue)' is disabled for the table 'disabled'.")
        }
        return levels.contains(level)
            ? nil : (401, services ? "Unauthorized" : "You must be logged in to do this.")
    }

    @Test(arguments: TestDatabase.all)
    func `every caller is answered as its level and the operation's say`(on database: TestDatabase) async throws {
        try await TestServer.with(on: database, lines: [APICaller.keys], files: Self.files) { server in
            let client = try WireClient(port: server.port)
            var inserted: [AccessLevel: Int] = [:]
            for (number, caller) in try APICaller.all().filter(\.query.isEmpty).enumerated() {
                for dialect in Dialect.allCases {
                    for (place, level) in Self.levels.enumerated() {
                        // An address may show so many wrong keys and no more.
                        let address = "X-Forwarded-For: 198.51.\(number).\(place)"
                        let id = "\(dialect.rawValue)-\(number)"
                        for demand in Demand.all(id) {
                            guard let code = demand.codes[dialect] else { continue }
                            let mark = dialect == .services ? "?__systemProperties=*" : ""
                            let response = try client.exchange(
                                demand.method, "/tables/\(level.rawValue)\(demand.path)\(mark)", demand.body,
                                caller.fields + dialect.fields + [address])
                            let what = "\(demand.method)\(demand.path) of \(level.rawValue)"
                            let name = "\(what), \(dialect), \(caller.testDescription)"
                            if let refusal = Self.refusal(of: demand, at: level, caller, dialect) {
                                #expect(response.code == refusal.code, "\(name)")
                                let body = demand.method == "HEAD" ? "" : dialect.error(refusal.code, refusal.text)
                                #expect(response.textWithoutCode == body && response.hasCodeWhereItFails, "\(name)")
                            } else {
                                #expect(response.code == code, "\(name): \(response.text)")
                                if response.code == 201, demand.operation == .insert {
                                    inserted[level, default: 0] += 1
                                }
                            }
                        }
                    }
                }
            }
            // Whoever was refused has written nothing.
            for level in Self.levels where level != .disabled {
                let all = try client.exchange(
                    "GET", "/tables/\(level.rawValue)?$top=0&$inlinecount=allpages&__includeDeleted=true", "",
                    ["X-ZUMO-MASTER: master"])
                #expect(try all.row["count"]?.text == String(inserted[level] ?? 0))
            }
        }
    }
}
