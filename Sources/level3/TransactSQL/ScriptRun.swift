public import Scalars
import Synchronization
public import TableSQL
public import Tables

/// A script with its parameters. A fault in it is kept beside the error that rolls back what it did.
public final class ScriptRun: Sendable {
    private let script: StatementScript
    private let parsed: TransactScript
    private let now: Instant
    private let found = Mutex<StatementFault?>(nil)
    private let away = Mutex<Identifier?>(nil)

    /// Parses a script.
    /// - Throws: any error found in parsing it.
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

    /// The fault in the script; nil if none has been found.
    public var fault: StatementFault? { found.withLock { $0 } }

    /// A table of the script that the database currently lacks.
    public var awayTable: Identifier? { away.withLock { $0 } }

    /// Returns the tables that statements write to, each once, by name.
    public func writtenTables(_ table: @escaping (Identifier) -> Table?) -> [Identifier] {
        parsed.writtenTables(in: context(table))
    }

    /// Runs all statements, in an open transaction. May be run again as a whole if nothing was committed.
    /// - Parameter table: finds a served table.
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
