import Foundation
import Gzip
import JSONText
import WireTesting

/// What one client library does on the wire. Each is written from what that library is known to send and to need.
protocol ClientLibrary: Sendable {
    /// Whether the columns that a write's answer leaves out keep their values; else the answer is the whole row.
    var mergesAnswers: Bool { get }
    /// Whether a write that won a conflict on the client is sent again without If-Match.
    var insistsWithoutIfMatch: Bool { get }

    /// The request of a write; nil where the library has none.
    func request(for write: RowWrite) -> ClientRequest?
    /// The request for one row.
    func lookup(_ id: String) -> ClientRequest
    /// What the library makes of a write's answer.
    func outcome(of write: RowWrite, _ response: WireResponse) throws(SyncFailure) -> WriteOutcome
    /// The row of an answer.
    func row(of response: WireResponse) throws(SyncFailure) -> SyncedRow

    /// Begins a pull with the delta token that the last one left, also where that one broke off.
    mutating func beginPull()
    /// The request for the next page.
    func pageRequest() -> ClientRequest
    /// Reads a page and moves on behind it.
    mutating func take(_ response: WireResponse) throws(SyncFailure) -> PulledPage
}

extension ClientLibrary {
    var mergesAnswers: Bool { false }
    var insistsWithoutIfMatch: Bool { false }
}

/// A write that a client library sends.
enum RowWrite {
    case insert(SyncedRow)
    case update(SyncedRow, ifMatch: String?)
    case delete(id: String, ifMatch: String?)
    case undelete(id: String, ifMatch: String?)
}

/// What a library makes of a write's answer.
enum WriteOutcome {
    /// Done, with the row as it is now where the answer has it.
    case done(SyncedRow?)
    /// Another write came first. Some libraries hand out the server's row at 412 only.
    case conflict(SyncedRow?)
    /// The row is deleted or was never there.
    case gone
}

/// A page as a library has read it.
struct PulledPage {
    let rows: [SyncedRow]
    let isLast: Bool
}

/// What a library is told to pull, and where its requests go.
public struct PullSettings: Sendable {
    /// The table, spelled as the app spells it.
    public var table: String
    /// Rows of a page; Datasync and its successor leave that to the server.
    public var pageSize: Int
    /// The app's own condition, as the library writes it.
    public var filter: String?
    /// False for a pull without a query id, which reads everything each time.
    public var isIncremental = true
    /// What the library makes up at its first start on a device, to be told from all others.
    public var installation = UUID().uuidString

    /// Pulls a whole table, incrementally.
    public init(table: String, pageSize: Int = 50) {
        self.table = table
        self.pageSize = pageSize
    }
}

/// The walk of the libraries that ask for rows stamped at the token or later: a page that moves the token begins
/// anew there, one that doesn't is skipped.
struct StampWalk {
    /// The newest stamp seen, in units of 100 ns since 1970; nil for none yet.
    var token: Int64?
    private(set) var skip = 0

    mutating func begin() {
        skip = 0
    }

    mutating func pass(_ count: Int, newest: Int64?) {
        if let newest, newest > token ?? .min {
            token = newest
            skip = 0
        } else {
            skip += count
        }
    }
}

/// How answers are read, where libraries agree.
enum Answer {
    static func json(_ response: WireResponse) throws(SyncFailure) -> JSONValue {
        let text = try text(of: response)
        do throws(JSONError) {
            return try JSONReader.parse(text)
        } catch {
            throw .unreadable("no JSON: \(response.status) \(response.text)")
        }
    }

    /// The body without its coding, as a library that asks for gzip undoes it.
    private static func text(of response: WireResponse) throws(SyncFailure) -> [UInt8] {
        guard response["Content-Encoding"] == "gzip" else { return response.body }
        do throws(GzipExpander.Fault) {
            return try GzipExpander.expand(response.body, limit: 64 << 20) { _ in true }
        } catch {
            throw .unreadable("no gzip: \(response.status)")
        }
    }

    /// The rows of a bare array, or of the member that wraps them.
    static func list(_ response: WireResponse, wrappedIn name: String) throws(SyncFailure) -> [JSONValue] {
        guard response.code == 200 else { throw .refused(status: response.status, body: response.text) }
        let json = try json(response)
        guard let elements = json.elements ?? json.member(name)?.elements else {
            throw .unreadable("no rows: \(response.text.prefix(200))")
        }
        return elements
    }

    /// The row of an answer; its ETag counts before the version inside.
    static func row(_ response: WireResponse, underscored: Bool = false) throws(SyncFailure) -> SyncedRow {
        guard var row = SyncedRow(try json(response), underscored: underscored) else {
            throw .unreadable("expected an item: \(response.status) \(response.text)")
        }
        if let tag = response["ETag"] {
            guard tag.count > 2, tag.first == "\"", tag.last == "\"" else { throw .unreadable("ETag: \(tag)") }
            row.version = String(tag.dropFirst().dropLast()).replacing("\\\"", with: "\"")
        }
        return row
    }

    static func ifMatch(_ version: String?) -> [String] {
        version.map { ["If-Match: \"\($0.replacing("\"", with: "\\\""))\""] } ?? []
    }

    /// An item's members: the id, then the columns by name.
    static func members(_ row: SyncedRow) -> [(name: String, value: JSONValue)] {
        [("id", .string(row.id))] + row.columns.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}
