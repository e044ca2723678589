import JSONText
import Testing
import WireTesting

/// A table that shows callers some of its rows only.
enum GuardedTable: String, CaseIterable, Sendable, CustomTestStringConvertible {
    /// `perUser`, with tombstones.
    case mine
    /// A rule for reading and one for writing, with tombstones.
    case board
    /// A rule for both, and deleted rows are gone.
    case leaflets

    var testDescription: String { rawValue }

    /// The tables' files, where the fixture has others or none.
    static let files = [
        "tables/mine.yaml": """
        columns: { text: string, rank: number }
        softDelete: true
        perUser: true
        userIdColumn: owner
        pageSize: 3
        """,
        "tables/leaflets.yaml": """
        columns: { text: string, ownerId: string, shared: boolean, rank: number }
        visible: "ownerId eq @userId or shared eq true"
        pageSize: 3
        """,
    ]

    var ownerColumn: String { self == .mine ? "owner" : "ownerId" }
    var keepsTombstones: Bool { self != .leaflets }

    func isSeen(_ row: Row, by caller: Caller) -> Bool {
        isOwn(row, of: caller) || self != .mine && row["shared"] == .boolean(true)
    }

    func isWritable(_ row: Row, by caller: Caller) -> Bool {
        self == .leaflets ? isSeen(row, by: caller) : isOwn(row, of: caller)
    }

    private func isOwn(_ row: Row, of caller: Caller) -> Bool {
        guard let id = caller.id else { return self != .mine && row[ownerColumn] == .null }
        return row[ownerColumn] == .string(id)
    }
}

/// Somebody with a token, or without one.
enum Caller: CaseIterable, Sendable {
    case alice, bob, nobody

    var id: String? {
        switch self {
        case .alice: "sid:alice"
        case .bob: "sid:bob"
        case .nobody: nil
        }
    }

    var fields: [String] {
        get throws { try id.map { [try UserTokens.field($0)] } ?? [] }
    }
}

/// How the clients of each generation ask.
enum Dialect: CaseIterable, Sendable {
    case services, apps, datasync

    var fields: [String] {
        switch self {
        case .services: ["X-ZUMO-APPLICATION: any"]
        case .apps: ["ZUMO-API-VERSION: 2.0.0"]
        case .datasync: ["ZUMO-API-VERSION: 3.0.0"]
        }
    }

    /// The option that asks for a count.
    var count: String { self == .datasync ? "$count=true" : "$inlinecount=allpages" }
}
