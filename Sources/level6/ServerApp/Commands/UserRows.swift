import AuthAPI
import OData
import ServerConfiguration
import TableOperations
import Tables

/// The rows of a user: in the tables whose definitions say who owns a row, and those with the user's id in the tables
/// that have no definition, such as one of a project that `serve --app` serves.
struct UserRows {
    let store: any TableStore
    private let places: [Place]

    /// Columns that say who owns a row.
    private struct Place {
        let table: Identifier
        let columns: [String]
        let kind: Kind
    }

    /// What is known of the rows of a place.
    enum Kind {
        /// They belong to this user alone.
        case own
        /// A rule of the table says so.
        case byRule
        /// They have the user's id in any column; the table has no definition that says what it means.
        case undefined
    }

    /// A number of live rows of a user.
    struct Count {
        let table: Identifier
        let kind: Kind
        /// nil if the database didn't find it out in time.
        let rows: Int64?
    }

    /// What was removed from a table.
    struct Removal {
        let table: Identifier
        let rows: Int
        let leavesTombstones: Bool
    }

    /// The number of rows removed in one step.
    private static let stepSize = 200

    /// - Parameter defined: the tables that the configuration names.
    init(_ configuration: Configuration, defined: Set<Identifier>, in store: any TableStore) {
        self.store = store
        let undefined = store.tables().filter { !defined.contains($0.name) && !$0.isAway }.compactMap { table in
            let columns = table.columns.filter { $0.type == .string }.map(\.name.text)
            return columns.isEmpty ? nil : Place(table: table.name, columns: columns, kind: .undefined)
        }
        places = Self.places(in: configuration) + undefined.sorted { $0.table.text < $1.table.text }
    }

    /// Returns the tables that may contain rows of users.
    static func tables(of configuration: Configuration) -> Set<Identifier> {
        Set(places(in: configuration).map(\.table))
    }

    private static func places(in configuration: Configuration) -> [Place] {
        configuration.behaviours.sorted { $0.key.text < $1.key.text }.flatMap { table, behaviour in
            if let column = behaviour.ownerColumn {
                return [Place(table: table, columns: [column.text], kind: .own)]
            }
            return columns(of: behaviour.rule).map { Place(table: table, columns: [$0], kind: .byRule) }
        }
    }

    /// Returns how many live rows belong to a user, and where.
    func counts(ofUser id: String) async throws(TableError) -> [Count] {
        var found: [Count] = []
        for place in places {
            guard let table = store.table(named: place.table), !table.isAway else { continue }
            do throws(TableError) {
                let query = query(of: place, id, limit: 1, counted: true)
                let rows = try await store.list(query, in: table, into: RowIDs()).totalCount ?? 0
                if rows > 0 { found.append(Count(table: table.name, kind: place.kind, rows: rows)) }
            } catch {
                // No index helps to find an id in any column.
                guard place.kind == .undefined, case .timeout = error else { throw error }
                found.append(Count(table: table.name, kind: place.kind, rows: nil))
            }
        }
        return found
    }

    /// Removes the rows that belong only to the user, leaving tombstones if the table has soft delete.
    func remove(ofUser id: String) async throws(TableError) -> [Removal] {
        var removed: [Removal] = []
        for place in places where place.kind == .own {
            guard let table = store.table(named: place.table), !table.isAway else { continue }
            var rows = 0
            while true {
                let page = try await store.list(query(of: place, id, limit: Self.stepSize), in: table, into: RowIDs())
                guard !page.rows.ids.isEmpty else { break }
                var step = 0
                for id in page.rows.ids {
                    let delete = RowWrite(.delete, of: id, in: table.name)
                    let result = try await store.write(delete, in: table, into: RowIDs())
                    if result.outcome == .written { step += 1 }
                }
                rows += step
                // Rows that a delete doesn't remove, such as because of a trigger, would be found again and again.
                if step == 0 { break }
            }
            if rows > 0 {
                removed.append(Removal(table: table.name, rows: rows, leavesTombstones: table.rules.softDelete))
            }
        }
        return removed
    }

    private func query(of place: Place, _ id: String, limit: Int, counted: Bool = false) -> TableQuery {
        var query = TableQuery(limit: limit)
        query.filter = Self.condition(place.columns[...], id)
        query.textComparison = .ordinal
        query.select = [SelectedName("id", at: 0)]
        query.wantsCount = counted
        return query
    }

    /// Returns that any of the columns has the id, halved again and again so that it isn't nested deeply.
    private static func condition(_ columns: ArraySlice<String>, _ id: String) -> Expression? {
        guard let first = columns.first else { return nil }
        let half = columns.count / 2
        guard half > 0, let left = condition(columns.prefix(half), id),
            let right = condition(columns.dropFirst(half), id)
        else { return .binary(.equal, .column(first, at: 0), .literal(.text(id), at: 0), at: 0) }
        return .binary(.or, left, right, at: 0)
    }

    /// Returns the columns that a rule compares with the user's id.
    private static func columns(of rule: RowRule?) -> [String] {
        let conditions = [rule?.visible(for: RowRule.userParameter), rule?.writable(for: RowRule.userParameter)]
        var columns: [String] = []
        var left = conditions.compactMap(\.self)
        while let condition = left.popLast() {
            left += condition.children
            guard case .binary(.equal, let one, let other, _) = condition else { continue }
            switch (one, other) {
            case (.column(let name, _), .literal(.text(RowRule.userParameter), _)),
                (.literal(.text(RowRule.userParameter), _), .column(let name, _)):
                if !columns.contains(where: { Identifier($0) == Identifier(name) }) { columns.append(name) }
            default: continue
            }
        }
        return columns.sorted()
    }
}

extension [UserRows.Count] {
    /// `2 in Mine, 1 in Ruled`; nil for none.
    var words: String? {
        isEmpty ? nil : map { "\($0.rows.map { String($0) } ?? "perhaps some") in \($0.table)" }.joined(separator: ", ")
    }
}

/// Collects the ids of visited rows.
private struct RowIDs: RowVisitor {
    private(set) var ids: [RowID] = []

    mutating func begin(_ layout: RowLayout) {}
    mutating func beginRow() {}
    mutating func endRow() {}
    mutating func visit(_ cell: RowCell) {
        switch cell.kind {
        case .integer: ids.append(.integer(cell.whole))
        case .text, .instant: ids.append(.text(cell.text))
        case .null, .boolean, .number, .decimal, .version: break
        }
    }
}
