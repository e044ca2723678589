import OData
public import Tables

/// The indexed text columns by which a query orders or limits its rows.
///
/// SQLite's index sorts by `NOCASE`, which only for plain texts is the order of queries. Another index has all rows
/// with other texts, and so tells immediately whether there are any.
public struct IndexedTexts: Sendable {
    /// A column.
    private struct Member {
        let column: Column
        /// The condition for rows whose text isn't plain.
        let isApart: SQLFragment
        /// Whether an index has the rows in the order of the query, as far as texts are plain.
        let isWalked: Bool
    }

    private let members: [Member]
    /// Asks for each column whether any text isn't plain: one row with a boolean for each.
    public let question: SQLText

    /// - Returns: nil if the texts don't matter, or the dialect's index sorts them all.
    public init?(_ query: TableQuery, in table: Table, dialect: any SchemaDialect) {
        guard query.textComparison == .ignoringCase, table.indexes.contains(where: { $0.contains(where: \.isText) })
        else {
            return nil
        }
        var members: [Member] = []
        for field in query.sortedFields(in: table).compactMap(\.self) + query.boundedFields(in: table) {
            guard case .own(let column) = field, let isApart = dialect.textsApart(in: field),
                table.indexes.contains(where: { $0.contains(field) }), !members.contains(where: { $0.column == column })
            else { continue }
            let isWalked = query.orderedTexts(in: table).contains(field)
            members.append(Member(column: column, isApart: isApart, isWalked: isWalked))
        }
        guard !members.isEmpty else { return nil }
        self.members = members
        let questions = members.map { "EXISTS (SELECT 1 FROM \(table.name) WHERE \($0.isApart))" as SQLFragment }
        question = SQLText("SELECT \(questions.joined())", dialect)
    }

    /// The number of columns.
    public var count: Int { members.count }

    /// The split assumed if the question isn't asked: all texts are plain, as most are.
    public var allPlain: TextSplit { split(by: members.map { _ in false }) }

    /// Returns how the rows are read.
    /// - Parameter answers: the answers to the question.
    public func split(by answers: [Bool]) -> TextSplit {
        var split = TextSplit()
        for (member, hasOthers) in zip(members, answers) {
            if !hasOthers {
                split.plain.append(member.column)
            } else if member.isWalked {
                split.apart.append((member.column, member.isApart))
            }
        }
        return split
    }
}

/// How a list reads a table, depending on its texts.
public struct TextSplit: Sendable {
    /// The columns in which all texts are plain.
    public internal(set) var plain: [Column] = []
    /// The columns whose plain texts are read from an index in order, and all other rows separately.
    var apart: [(column: Column, isApart: SQLFragment)] = []

    /// Creates a split in which all rows are read the same way.
    public init() {}

    /// Whether all rows are read the same way.
    var isWhole: Bool { apart.isEmpty }
}

extension TableQuery {
    /// Returns the column of each term of the order; nil for other terms.
    fileprivate func sortedFields(in table: Table) -> [Field?] {
        order.map { if case .column(let name, _) = $0.expression { table.field(named: name) } else { nil } }
    }

    /// Returns the columns that are compared with constants by order, for instance with `lt`.
    fileprivate func boundedFields(in table: Table) -> [Field] {
        var fields: [Field] = []
        // An explicit list of pending nodes replaces the call stack, because chains are deep.
        var pending = filter.map { [$0] } ?? []
        while let expression = pending.popLast() {
            pending += expression.children
            guard case .binary(let binary, let left, let right, _) = expression,
                [.less, .lessOrEqual, .greater, .greaterOrEqual].contains(binary)
            else { continue }
            switch (left, right) {
            case (.column(let name, _), .literal), (.literal, .column(let name, _)):
                if let field = table.field(named: name) { fields.append(field) }
            default: break
            }
        }
        return fields
    }

    /// Returns the longest run of columns at the beginning of the order that an index has in the same sequence. The
    /// columns before them in the index may be fixed by a filter.
    fileprivate func orderedTexts(in table: Table) -> ArraySlice<Field> {
        let fields = sortedFields(in: table)
        guard let first = order.first else { return [] }
        let isFiltered = filter != nil || scope != nil
        var longest: ArraySlice<Field> = []
        for index in table.indexes {
            for start in index.indices where start == 0 || isFiltered {
                let common = zip(index[start...], zip(fields, order)).prefix { field, term in
                    field == term.0 && term.1.isDescending == first.isDescending
                }
                if common.count > longest.count { longest = index[start..<start + common.count] }
            }
        }
        return longest
    }
}
