import ByteText
import TableSQL
import Tables

/// The sources whose columns part of a statement may name.
final class TransactScope {
    struct Source {
        /// The name that qualifies its columns.
        let name: String?
        let alias: SQLFragment
        let columns: Columns
        /// The number of columns before its own, if it is one of several merged sources.
        var offset: Int?
        var names = TransactNames.plain
    }

    enum Columns {
        case table(Table)
        case query([TransactColumn])
    }

    /// The expressions that are grouped by.
    struct Grouping {
        /// The keys by which these are recognized.
        var keys: Set<ExactText> = []
        /// Columns named outside of aggregates and of the grouped expressions.
        var strays: [(key: ExactText, name: TransactName)] = []
    }

    var sources: [Source] = []
    let parent: TransactScope?
    var grouping: Grouping?
    /// Whether the arguments of an aggregate are being resolved.
    var isInAggregate = false
    /// Whether aggregates are allowed here.
    var takesAggregates = false
    /// Whether functions with OVER are allowed here.
    var takesWindows = false

    init(in parent: TransactScope?) {
        self.parent = parent
    }

    /// Finds a column in this scope or an enclosing one.
    func column(_ name: TransactName, of table: TransactName?) throws(StatementFault) -> TransactOperand {
        let scopes = sequence(first: self) { $0.parent }
        for scope in scopes {
            if let found = try scope.ownColumn(name, of: table) { return found }
        }
        let sources = scopes.flatMap(\.sources)
        if let table, !sources.contains(where: { $0.isNamed(table.text) }) {
            throw table.place.fault("There is no table or alias `\(table.text)`.")
        }
        let hint = sources.lazy.filter { $0.isSearched(for: table) }.compactMap { $0.hint(for: name.text) }.first
        throw name.place.fault("There is no column `\(name.text)`\(hint.map { "; \($0)" } ?? "").")
    }

    private func ownColumn(_ name: TransactName, of table: TransactName?) throws(StatementFault) -> TransactOperand? {
        var found: TransactOperand?
        for source in sources where source.isSearched(for: table) {
            guard let operand = source.column(name.text) else { continue }
            guard found == nil else { throw name.place.fault("The column `\(name.text)` may be one of several.") }
            found = operand
        }
        if let found, grouping != nil, !isInAggregate { grouping?.strays.append((found.sql.key, name)) }
        return found
    }
}

extension TransactScope.Source {
    /// Whether its columns are only found by its name.
    var isHidden: Bool { name?.hasPrefix(TransactName.hidden) ?? false }

    /// Whether a column may be one of its own: of the table that is named, or of any.
    func isSearched(for table: TransactName?) -> Bool { table.map { isNamed($0.text) } ?? !isHidden }

    /// What to say of a column that it doesn't have.
    func hint(for name: String) -> String? {
        if case .table = columns { names.hint(for: name) } else { nil }
    }

    func isNamed(_ other: String) -> Bool {
        (name?.lowercased()).isExactly(other.lowercased())
    }

    func column(_ name: String) -> TransactOperand? {
        switch columns {
        case .table(let table):
            return names.field(named: name, of: table).map { operand($0, of: table) }
        case .query(let columns):
            let name = name.lowercased()
            return columns.firstIndex { $0.name.lowercased().isExactly(name) }.map { operand($0, of: columns) }
        }
    }

    func operand(_ field: Field, of table: Table) -> TransactOperand {
        let type = TransactType(field, of: table)
        if let offset {
            let index = table.fields.firstIndex(of: field) ?? 0
            return TransactOperand("\(alias).\(.column(offset + index + 1))", type)
        }
        var operand = TransactOperand("\(alias).\(SQLFragment(field))", type)
        operand.isColumn = true
        return operand
    }

    private func operand(_ index: Int, of columns: [TransactColumn]) -> TransactOperand {
        TransactOperand("\(alias).\(.column((offset ?? 0) + index + 1))", columns[index].type)
    }

    /// All columns with their names.
    var all: [(name: String, operand: TransactOperand)] {
        switch columns {
        case .table(let table):
            table.fields.map { (names.name(of: $0), operand($0, of: table)) }
        case .query(let columns):
            columns.indices.map { (columns[$0].name, operand($0, of: columns)) }
        }
    }
}
