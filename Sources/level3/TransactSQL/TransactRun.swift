import ByteText
import Scalars
import TableSQL
import Tables

/// A script at work: its variables, and what its statements have answered so far.
struct TransactRun<Connection: TransactConnection> {
    typealias Failure = TransactFailure<Connection.Failure>

    let connection: Connection
    var context: TransactContext
    let dialect: any TransactDialect
    private(set) var results: [StatementResult] = []
    /// Whether RETURN was met.
    private var isOver = false
    private var rowCount = 0
    private var byteCount = 0

    init(connection: Connection, context: TransactContext, dialect: any TransactDialect) {
        self.connection = connection
        self.context = context
        self.dialect = dialect
    }

    mutating func run(_ statements: [TransactStatement]) throws(Failure) {
        for statement in statements where !isOver { try run(statement) }
    }

    private mutating func run(_ statement: TransactStatement) throws(Failure) {
        switch statement {
        case .select(let query): try select(query)
        case .insert, .change: results.append(try written(by: statement))
        case .merge(let merge): results.append(try self.merge(merge))
        case .branch(let condition, let statements, let others, let place):
            try run(try isTrue(condition, at: place) ? statements : others)
        case .raise(let text, let place):
            let words = try value(of: text, at: place)
            throw .fault(StatementFault(words.textValue ?? "The script has ended itself."))
        case .end: isOver = true
        case .declare(let variables):
            for (name, type, value) in variables {
                do throws(StatementFault) {
                    try context.declare(name, type.valueType)
                } catch {
                    throw .fault(error)
                }
                if let value { try set(name, to: value) }
            }
        case .set(let name, let value): try set(name, to: value)
        }
    }

    /// What a statement that writes answers.
    mutating func written(by statement: TransactStatement) throws(Failure) -> StatementResult {
        let made = try translated { writer throws(StatementFault) -> TransactWrite? in
            switch statement {
            case .insert(let insert): try writer.insert(insert)
            case .change(let change): try writer.change(change)
            default: nil
            }
        }
        guard let made else { return StatementResult(columns: [], rows: [], affected: 0) }
        return try write(made)
    }

    private mutating func isTrue(_ condition: TransactCondition, at place: TransactPlace) throws(Failure) -> Bool {
        let (yes, no) = (TransactExpression.literal(.integer(1), place), TransactExpression.literal(.integer(0), place))
        let value = try value(of: .cases([(condition, yes)], otherwise: no, place), at: place)
        context.rowCount = 0
        return value == .integer(1)
    }

    /// A value that is none of a row's.
    private mutating func value(of expression: TransactExpression, at place: TransactPlace) throws(Failure) -> Value {
        let select = TransactSelect(items: [.value(expression, name: nil)], place: place)
        return try rows(of: TransactQuery(first: select, place: place)).first?.first ?? .null
    }

    /// The rows of a query that nobody but the script sees.
    mutating func rows(of query: TransactQuery) throws(Failure) -> [[Value]] {
        try answer(to: query).rows
    }

    private mutating func answer(
        to query: TransactQuery
    ) throws(Failure) -> (columns: [TransactColumn], rows: [[Value]]) {
        let made = try translated { writer throws(StatementFault) in try writer.statement(query) }
        return (made.columns, try rows(of: made.sql, made.columns))
    }

    private func translated<Result>(
        _ body: (TransactWriter) throws(StatementFault) -> Result
    ) throws(Failure) -> Result {
        do throws(StatementFault) {
            return try body(TransactWriter(context, dialect))
        } catch {
            throw .fault(error)
        }
    }

    // MARK: Reading

    private mutating func select(_ query: TransactQuery) throws(Failure) {
        let (columns, rows) = try answer(to: query)
        context.rowCount = rows.count
        guard let variables = try assigned(by: query) else {
            results.append(StatementResult(columns: columns.map(\.name), rows: rows, affected: rows.count))
            return
        }
        // The last row is the one that counts; without one the variables stay as they are.
        guard let last = rows.last else { return }
        for (name, value) in zip(variables, last) { try put(value, into: name) }
    }

    /// The variables that a SELECT sets; nil where it answers rows.
    private func assigned(by query: TransactQuery) throws(Failure) -> [TransactName]? {
        var names: [TransactName] = []
        for item in query.first.items {
            if case .assignment(let name, _) = item { names.append(name) }
        }
        if names.isEmpty { return nil }
        guard names.count == query.first.items.count, query.others.isEmpty else {
            throw .fault(names[0].place.fault("A SELECT sets variables or answers rows, not both."))
        }
        return names
    }

    private mutating func set(_ name: TransactName, to expression: TransactExpression) throws(Failure) {
        try put(try value(of: expression, at: name.place), into: name)
    }

    private mutating func put(_ value: Value, into name: TransactName) throws(Failure) {
        do throws(StatementFault) {
            let type = try context.typeOfVariable(name)
            guard let kept = value == .null ? .null : TransactWriter.converted(value, to: type) else {
                throw name.place.fault("`@\(name.text)` can't be \(value.kind).")
            }
            context.set(name.text, to: kept)
        } catch {
            throw .fault(error)
        }
    }

    private mutating func rows(of statement: SQLText, _ columns: [TransactColumn]) throws(Failure) -> [[Value]] {
        var rows: [[Value]] = []
        var (count, bytes) = (rowCount, byteCount)
        var excess: String?
        do throws(Connection.Failure) {
            try connection.rows(of: statement, columns) { row in
                count += 1
                bytes += row.reduce(16) { $0 + $1.answerBytes }
                if bytes > StatementScript.mostAnswerBytes { excess = "\(StatementScript.mostAnswerBytes) bytes" }
                if count > StatementScript.mostRows { excess = "\(StatementScript.mostRows) rows" }
                if excess == nil { rows.append(row) }
                return excess == nil
            }
        } catch {
            // To stop it may have failed it.
            if excess == nil { throw .connection(error) }
        }
        if let excess { throw .fault(StatementFault("The script answers more than \(excess).")) }
        (rowCount, byteCount) = (count, bytes)
        return rows
    }

    // MARK: Writing

    private mutating func write(_ write: TransactWrite) throws(Failure) -> StatementResult {
        var before: [[Value]] = []
        if let statement = write.before { before = try rows(of: statement, write.beforeColumns) }
        var ids = before.compactMap(\.first)
        let affected: Int
        if write.returnsIDs {
            ids = try rows(of: write.statement, write.idColumns).compactMap(\.first)
            affected = ids.count
            if write.table.rules.autoIncrement, let last = ids.last { context.identity = last }
        } else {
            do throws(Connection.Failure) { affected = try connection.write(write.statement) } catch {
                throw .connection(error)
            }
        }
        context.rowCount = affected
        guard !write.outputs.isEmpty else {
            return StatementResult(columns: [], rows: [], affected: affected)
        }
        var after: [[Value]] = []
        if write.needsAfter {
            for chunk in ids.chunks(of: TransactWrite.chunk) {
                let statement = try translated { _ throws(StatementFault) in try write.after(chunk, dialect) }
                after += try rows(of: statement, write.afterColumns)
            }
        }
        let found = Dictionary(after.map { ($0[0].idKey, $0) }, uniquingKeysWith: { first, _ in first })
        let answered = ids.enumerated().map { index, id in
            write.outputs.map { output in
                let row = output.isBefore ? before[index] : found[id.idKey] ?? []
                return row.indices.contains(output.column) ? row[output.column] : .null
            }
        }
        return StatementResult(columns: write.outputs.map(\.name), rows: answered, affected: affected)
    }
}

extension Value {
    /// About what it takes in memory.
    fileprivate var answerBytes: Int {
        switch self {
        case .text(let text): 16 + text.utf8.count
        case .decimal(let decimal): 16 + decimal.text.utf8.count
        default: 16
        }
    }

    var idKey: ExactText { ExactText("\(self)") }
}

extension TransactDataType {
    /// What a variable of the type holds.
    var valueType: TransactType {
        switch self {
        case .text: .text
        case .whole: .whole
        case .real, .fixed: .real
        case .boolean: .boolean
        case .date, .day: .date
        }
    }
}
