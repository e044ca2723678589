import TableSQL
import Tables

/// Statements that share a round trip. Each has a place, by which its result is found among all of them.
struct StatementBatch {
    /// The position of a statement's result, and how it is read.
    struct Place<Answer> {
        fileprivate let index: Int
        fileprivate let read: (PostgresResult) -> Answer
    }

    private var statements: [SQLText] = []

    /// Adds a statement whose result is used as it is.
    @discardableResult
    mutating func add(_ statement: SQLText) -> Place<PostgresResult> {
        add(statement) { $0 }
    }

    /// Adds a statement.
    /// - Parameter read: derives a value from its result.
    mutating func add<Answer>(
        _ statement: SQLText, reading read: @escaping (PostgresResult) -> Answer
    ) -> Place<Answer> {
        defer { statements.append(statement) }
        return Place(index: statements.count, read: read)
    }

    /// Adds statements whose results aren't needed.
    mutating func add(_ others: [SQLText]) {
        statements += others
    }

    /// Runs the statements in order; if there are none, there is no round trip.
    func run(on connection: PostgresConnection) throws(PostgresFailure) -> Answers {
        Answers(results: statements.isEmpty ? [] : try connection.run(statements))
    }

    /// The results of the statements of a batch.
    struct Answers {
        fileprivate let results: [PostgresResult]

        /// Returns the result at a place of the same batch.
        subscript<Answer>(place: Place<Answer>) -> Answer { place.read(results[place.index]) }
    }
}
