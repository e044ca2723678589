import OData
public import Tables

/// The indexed text columns by which a query orders or limits its rows.
///
/// SQLite's index sorts by `NOCASE`, which is the order of queries among plain texts only. Another index has all rows
/// with other texts, and so tells at once whether there are any.
public struct IndexedTexts: Sendable {
    /// One column.
    private struct Member {
        let column: Column
        /// The condition of rows whose text isn't plain.
        let isApart: SQLFragment
        /// Whether an index has the rows in the order of the query, as far as texts are plain.
        let isWalked: Bool
    }

    private let members: [Member]
    /// Asks for each column whether any text isn't plain: one row of as many truth values.
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

    /// How many columns there are.
    public var count: Int { members.count }

    /// What is assumed if the question isn't asked: that the texts are plain, as most texts of most tables are.
    public var allPlain: TextSplit { split(by: members.map { _ in false }) }

    /// How the rows are read.
    /// - Parameter answers: those to the question.
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

/// How a list reads a table by what its texts are.
public struct TextSplit: Sendable {
    /// The columns in which all texts are plain.
    public internal(set) var plain: [Column] = []
    /// The columns whose plain texts are read from an index in their order, and all other rows apart from them.
    var apart: [(column: Column, isApart: SQLFragment)] = []

    /// All rows are read the same way, whatever their texts are.
    public init() {}

    /// Whether all rows are read the same way.
    var isWhole: Bool { apart.isEmpty }
}

extension TableQuery {
    /// The column that each term of the order is.
    fileprivate func sortedFields(in table: Table) -> [Field?] {
        order.map { if case .column(let name, _) = $0.expression { table.field(named: name) } else { nil } }
    }

    /// The columns that are compared with constants by their order, for instance with `lt`.
    fileprivate func boundedFields(in table: Table) -> [Field] {
        var fields: [Field] = []
        // A list of nodes to come takes the place of the stack: chains are deep.
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

    /// The columns of the order's first terms that an index has in the same sequence, as many as one has. What stands
    /// before them in the index, a filter may say.
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
