import Foundation
import Testing
import WireTesting

/// What a client keeps of a row's stamps.
struct SeenRow: Decodable, Hashable, Sendable {
    let id: String
    let version: String
    let updatedAt: String
    let deleted: Bool

    /// The version as the number that it is: eight bytes, the highest first.
    var counter: UInt64 {
        (Data(base64Encoded: version) ?? Data()).reduce(0) { $0 << 8 | UInt64($1) }
    }
}

extension WireResponse {
    /// The body as one row.
    var row: SeenRow {
        get throws { try JSONDecoder().decode(SeenRow.self, from: Data(body)) }
    }

    /// The body as a list of rows.
    var rows: [SeenRow] {
        get throws { try JSONDecoder().decode([SeenRow].self, from: Data(body)) }
    }
}

extension WireClient {
    /// Sends a request whose target may hold blanks, and reads the answer.
    func exchange(
        _ method: String, _ target: String, _ body: String = "", _ fields: [String] = []
    ) throws(WireClient.Failure) -> WireResponse {
        try send(Self.request(method, target, body, fields))
        return try response()
    }

    /// The bytes of a request.
    static func request(_ method: String, _ target: String, _ body: String, _ fields: [String]) -> String {
        let path = target.split(separator: " ", omittingEmptySubsequences: false).joined(separator: "%20")
        var lines = ["\(method) \(path) HTTP/1.1", "Host: localhost"] + fields
        if !body.isEmpty { lines += ["Content-Type: application/json", "Content-Length: \(body.utf8.count)"] }
        return lines.joined(separator: "\r\n") + "\r\n\r\n" + body
    }

    /// All rows of the table by id, tombstones included.
    func allRows() throws -> [SeenRow] {
        var rows: [SeenRow] = []
        while true {
            let response = try exchange(
                "GET", "/tables/TodoItem?$orderby=id&$top=1000&$skip=\(rows.count)&__includeDeleted=true")
            try #require(response.code == 200, "\(response.text)")
            let page = try response.rows
            if page.isEmpty { return rows }
            rows += page
        }
    }
}

/// A client's copy of the table, kept by pulls of what changed since the newest stamp that it has.
struct PulledCopy {
    private var newest = "1970-01-01T00:00:00.000Z"
    private(set) var rows: [String: SeenRow] = [:]

    /// Asks for changes until there is none that it doesn't have.
    mutating func pull(from client: WireClient) throws {
        var isNew = true
        while isNew {
            let page = try client.exchange(
                "GET",
                "/tables/TodoItem?$filter=(updatedAt ge datetimeoffset'\(newest)')&$orderby=updatedAt&$top=1000"
                    + "&__includeDeleted=true"
            ).rows
            isNew = false
            for row in page where rows.updateValue(row, forKey: row.id) != row { isNew = true }
            newest = max(newest, page.map(\.updatedAt).max() ?? newest)
        }
    }
}
