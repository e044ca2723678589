/// The rows of a table as they are on the server, read in the second generation.
public struct ServerRows {
    /// The live rows by id.
    public let live: [String: SyncedRow]

    /// Reads a table page by page; nothing must write to it meanwhile.
    public init(of table: String, port: UInt16, below prefix: String = "") throws(SyncFailure) {
        let connection = ServerConnection(below: prefix) { port }
        var rows: [String: SyncedRow] = [:]
        while true {
            let target = "/tables/\(table)?$orderby=id&$top=1000&$skip=\(rows.count)"
            let page = try connection.exchange(ClientRequest(.get, target, fields: ["ZUMO-API-VERSION: 2.0.0"]))
            let found = try Answer.list(page, wrappedIn: "results").compactMap { SyncedRow($0) }
            if found.isEmpty { break }
            for row in found { rows[row.id] = row }
        }
        live = rows
    }

    /// What tells a client's copy from these rows, row by row; empty where they are equal.
    public func differences(from copy: [String: SyncedRow]) -> [String] {
        Set(copy.keys).union(live.keys).sorted().compactMap { id in
            guard let mine = copy[id] else { return "\(id) is missing" }
            guard let theirs = live[id] else { return "\(id) is deleted on the server" }
            return mine == theirs ? nil : "\(id) is \(mine), not \(theirs)"
        }
    }
}
