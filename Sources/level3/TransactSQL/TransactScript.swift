import Scalars
public import TableSQL
public import Tables

/// A script of T-SQL, read but not yet translated: what a statement becomes may depend on what those before it
/// answered.
public struct TransactScript: Sendable {
    let statements: [TransactStatement]
    private let asksForIdentity: Bool

    /// Reads a script.
    public init(_ text: String) throws(StatementFault) {
        (statements, asksForIdentity) = try TransactParser.statements(of: text)
    }

    /// Whether no statement writes.
    public var isReading: Bool { !statements.contains { $0.isWriting } }

    /// The tables that statements write to, each once, by name.
    public func writtenTables(in context: TransactContext) -> [Identifier] {
        var names: Set<Identifier> = []
        for statement in statements {
            for name in statement.targets { if let table = context.table(name.text) { names.insert(table.name) } }
        }
        return names.sorted { $0.text.lowercased() < $1.text.lowercased() }
    }

    /// Translates and runs all statements, which the connection does in one transaction.
    public func run<Connection: TransactConnection>(
        on connection: Connection, with context: TransactContext, dialect: any TransactDialect
    ) throws(TransactFailure<Connection.Failure>) -> [StatementResult] {
        var run = TransactRun(connection: connection, context: context, dialect: dialect)
        run.context.keepsIdentity = asksForIdentity
        try run.run(statements)
        return run.results
    }
}

extension TransactStatement {
    /// What it may write to, by name; among them names that are of aliases only.
    fileprivate var targets: [TransactName] {
        switch self {
        case .select, .declare, .set, .raise, .end: []
        case .insert(let insert): [insert.table]
        case .change(let change): [change.target] + change.sources.compactMap(\.table)
        case .merge(let merge): [merge.table]
        case .branch(_, let statements, let others, _): (statements + others).flatMap(\.targets)
        }
    }
}

extension TransactSource {
    fileprivate var table: TransactName? {
        if case .table(let name) = rows { name } else { nil }
    }
}

/// A connection of a database within a transaction.
public protocol TransactConnection {
    /// What it fails with.
    associatedtype Failure: Error

    /// Runs a statement and hands over its rows, each value as one of its column's type.
    /// - Parameter take: takes a row's values; answers whether it takes more.
    func rows(of statement: SQLText, _ columns: [TransactColumn], _ take: ([Value]) -> Bool) throws(Failure)

    /// Runs a statement that answers no rows.
    /// - Returns: how many rows it wrote.
    func write(_ statement: SQLText) throws(Failure) -> Int
}

extension Value {
    /// What a database answers as a value of a type; as it is where it is none.
    public func typed(_ type: TransactType) -> Value {
        switch (self, type) {
        case (.integer(let whole), .version): .text(Version(counter: whole).wireText)
        case (.integer(let whole), .real): .number(Double(whole))
        case (.integer(let whole), .boolean): .boolean(whole != 0)
        case (.decimal(let decimal), .whole): decimal.whole.map(Value.integer) ?? .number(decimal.double)
        case (.decimal(let decimal), .real): .number(decimal.double)
        case (.text(let text), .date): Instant(text).map(Value.date) ?? self
        case (.text(let text), .decimal): DecimalNumber(text).map(Value.decimal) ?? self
        default: self
        }
    }
}

/// Why a script was not done.
public enum TransactFailure<Failure: Error>: Error {
    case fault(StatementFault)
    case connection(Failure)
}
