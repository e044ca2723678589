import JSONText
import WireTesting

/// Pulls the table `todo` page by page as the client libraries do.
struct Puller {
    enum Style: Sendable, CaseIterable {
        /// Pages by `$skip` as long as the newest stamp does not move, and ignores links.
        case iOS
        /// Writes seven digits and an offset, and follows links before it asks for a page of its own.
        case dotNet
    }

    private let style: Style
    private let pageSize: Int
    private var token = "1970-01-01T00:00:00.000Z"
    private var skip = 0
    /// The client's copy of the table, tombstones included.
    private(set) var copy: [String: Row] = [:]
    /// The ids of the rows that came since the pull began.
    private(set) var fetched: Set<String> = []

    init(style: Style, pageSize: Int) {
        self.style = style
        self.pageSize = pageSize
    }

    /// Begins the next incremental pull.
    mutating func startAgain() {
        skip = 0
        fetched = []
    }

    /// Asks for one page.
    /// - Returns: false where it was empty, which ends the pull.
    mutating func pullPage(from client: WireClient) throws -> Bool {
        let literal =
            switch style {
            case .iOS: "datetimeoffset'\(token)'"
            case .dotNet: "datetimeoffset'\(token.dropLast())0000%2B00:00'"
            }
        var target =
            "/tables/todo?$filter=(updatedAt ge \(literal))&$orderby=updatedAt&$skip=\(skip)&$top=\(pageSize)"
            + "&__includeDeleted=true"
        var rows: [Row] = []
        while true {
            let page = try client.exchange("GET", target)
            rows += try page.rows
            guard style == .dotNet, let next = page.nextPath else { break }
            target = next
        }
        var newest = token
        for row in rows {
            guard let id = row["id"]?.text, let stamp = row["updatedAt"]?.text else { continue }
            copy[id] = row
            fetched.insert(id)
            newest = max(newest, stamp)
        }
        if newest > token {
            token = newest
            skip = 0
        } else {
            skip += rows.count
        }
        return !rows.isEmpty
    }
}
