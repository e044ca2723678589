import AuthAPI
import OData
import ServerConfiguration
import TableOperations
import Tables

/// The rows of a user, in the tables whose definitions say who owns a row.
struct UserRows {
    let store: any TableStore
    private let places: [Place]

    /// A column that says who owns a row.
    private struct Place {
        let table: Identifier
        let column: String
        /// Whether the row belongs to this user alone.
        let isOwn: Bool
    }

    /// The number of rows removed in one step.
    private static let stepSize = 200

    init(_ configuration: Configuration, in store: any TableStore) {
        self.store = store
        places = Self.places(in: configuration)
    }

    /// Returns the tables that may contain rows of users.
    static func tables(of configuration: Configuration) -> Set<Identifier> {
        Set(places(in: configuration).map(\.table))
    }

    private static func places(in configuration: Configuration) -> [Place] {
        configuration.behaviours.sorted { $0.key.text < $1.key.text }.flatMap { table, behaviour in
            if let column = behaviour.ownerColumn { return [Place(table: table, column: column.text, isOwn: true)] }
            return columns(of: behaviour.rule).map { Place(table: table, column: $0, isOwn: false) }
        }
    }

    /// Describes how many live rows belong to a user, and where; nil if there are none.
    func words(ofUser id: String) async throws(TableError) -> String? {
        var found: [String] = []
        for place in places {
            guard let table = store.table(named: place.table), !table.isAway else { continue }
            let count =
                try await store.list(query(of: place, id, limit: 1, counted: true), in: table, into: RowIDs())
                .totalCount ?? 0
            if count > 0 { found.append("\(count) in \(table.name)") }
        }
        return found.isEmpty ? nil : found.joined(separator: ", ")
    }

    /// Removes the rows that belong only to the user, leaving tombstones if the table has soft delete.
    /// - Returns: the number of rows.
    func remove(ofUser id: String) async throws(TableError) -> Int {
        var removed = 0
        for place in places where place.isOwn {
            guard let table = store.table(named: place.table), !table.isAway else { continue }
            while true {
                let page = try await store.list(query(of: place, id, limit: Self.stepSize), in: table, into: RowIDs())
                guard !page.rows.ids.isEmpty else { break }
                var step = 0
                for id in page.rows.ids {
                    let delete = RowWrite(.delete, of: id, in: table.name)
                    let result = try await store.write(delete, in: table, into: RowIDs())
                    if result.outcome == .written { step += 1 }
                }
                removed += step
                // Rows that a delete doesn't remove, such as because of a trigger, would be found again and again.
                if step == 0 { break }
            }
        }
        return removed
    }

    private func query(of place: Place, _ id: String, limit: Int, counted: Bool = false) -> TableQuery {
        var query = TableQuery(limit: limit)
        query.filter = .binary(.equal, .column(place.column, at: 0), .literal(.text(id), at: 0), at: 0)
        query.textComparison = .ordinal
        query.select = [SelectedName("id", at: 0)]
        query.wantsCount = counted
        return query
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
