public import JSONText

/// A client with a copy of one table: it pulls what changed on the server, and pushes what was changed here.
public final class SyncClient {
    /// Who is right where a row was changed on both sides.
    public enum Choice: Sendable {
        case serverWins, clientWins
    }

    /// Which library it is.
    public let kind: ClientKind
    /// The connection and what went over it.
    public let connection: ServerConnection
    /// The copy; tombstones are not in it.
    public internal(set) var rows: [String: SyncedRow] = [:]
    /// The page that came last, tombstones included.
    public private(set) var lastPage: [SyncedRow] = []
    var library: any ClientLibrary
    let choice: Choice
    var queue: [PendingOperation] = []

    /// - Parameters:
    ///   - prefix: what the paths of the server's base URL begin with.
    ///   - port: says where the server is, each time a connection is opened.
    public init(
        _ kind: ClientKind, _ settings: PullSettings, choice: Choice = .serverWins, below prefix: String = "",
        port: @escaping () -> UInt16
    ) {
        self.kind = kind
        self.choice = choice
        library = kind.library(settings)
        connection = ServerConnection(below: prefix, port: port)
    }

    // MARK: Pull

    /// Pushes what is pending, then pulls page by page to the end.
    public func pull() throws(SyncFailure) {
        if hasPendingOperations { try push() }
        beginPull()
        while try pullPage() {}
    }

    /// Begins the next pull.
    public func beginPull() {
        library.beginPull()
    }

    /// Asks for one page.
    /// - Returns: false where that was the last.
    public func pullPage() throws(SyncFailure) -> Bool {
        let page = try library.take(try connection.exchange(library.pageRequest()))
        lastPage = page.rows
        let pending = Set(queue.map(\.id))
        for row in page.rows where !pending.contains(row.id) { keep(row) }
        return !page.isLast
    }

    func keep(_ row: SyncedRow) {
        rows[row.id] = row.isDeleted ? nil : row
    }

    // MARK: Changes of the copy

    /// Whether something waits to be pushed.
    public var hasPendingOperations: Bool { !queue.isEmpty }

    /// Adds a row.
    public func insert(_ id: String, _ columns: [String: JSONValue]) {
        rows[id] = SyncedRow(id: id, columns: columns)
        queue.append(PendingOperation(id: id, kind: .insert))
    }

    /// Changes columns of a row that the copy has.
    public func update(_ id: String, _ columns: [String: JSONValue]) {
        guard var row = rows[id] else { return }
        row.columns.merge(columns) { $1 }
        rows[id] = row
        if !queue.contains(where: { $0.id == id }) { queue.append(PendingOperation(id: id, kind: .update)) }
    }

    /// Removes a row from the copy.
    public func delete(_ id: String) {
        guard let row = rows.removeValue(forKey: id) else { return }
        if let index = queue.firstIndex(where: { $0.id == id }) {
            let earlier = queue.remove(at: index)
            // What was never sent need not be taken back.
            if earlier.kind == .insert, !earlier.wasSent { return }
        }
        queue.append(PendingOperation(id: id, kind: .delete, version: row.version))
    }
}
