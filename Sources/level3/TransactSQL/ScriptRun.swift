public import Scalars
import Synchronization
public import TableSQL
public import Tables

/// A script with what it is run with. What is wrong with it is kept, beside the error that undoes what it did.
public final class ScriptRun: Sendable {
    private let script: StatementScript
    private let parsed: TransactScript
    private let now: Instant
    private let found = Mutex<StatementFault?>(nil)
    private let away = Mutex<Identifier?>(nil)

    /// Reads a script.
    /// - Throws: what is wrong with it as far as it can be read.
    public init(_ script: StatementScript, now: Instant) throws(StatementError) {
        do throws(StatementFault) {
            parsed = try TransactScript(script.text)
        } catch {
            throw .refused(error)
        }
        self.script = script
        self.now = now
    }

    /// Whether no statement writes.
    public var isReading: Bool { parsed.isReading }

    /// What is wrong with the script.
    public var fault: StatementFault? { found.withLock { $0 } }

    /// One of its tables that the database lacks by now.
    public var awayTable: Identifier? { away.withLock { $0 } }

    /// The tables that statements write to, each once, by name.
    public func writtenTables(_ table: @escaping (Identifier) -> Table?) -> [Identifier] {
        parsed.writtenTables(in: context(table))
    }

    /// Runs all statements, in a transaction that is open. May run again as a whole, where nothing was committed.
    /// - Parameter table: finds a table that is served.
    public func run<Connection: TransactConnection>(
        on connection: Connection, dialect: any TransactDialect, _ table: @escaping (Identifier) -> Table?
    ) throws(Connection.Failure) -> [StatementResult] where Connection.Failure: SQLFailure {
        away.withLock { $0 = nil }
        do throws(TransactFailure<Connection.Failure>) {
            return try parsed.run(on: connection, with: context(table), dialect: dialect)
        } catch {
            switch error {
            case .connection(let failure): throw failure
            case .fault(let fault):
                found.withLock { $0 = fault }
                throw .table(.failed(detail: fault.description))
            }
        }
    }

    private func context(_ table: @escaping (Identifier) -> Table?) -> TransactContext {
        TransactContext(script, now: now) { [self] name in
            let table = Identifier(name).flatMap(table)
            if let table, table.isAway { away.withLock { $0 = table.name } }
            return table
        }
    }
}
