import TableSQL
import Tables

/// Statements that go in one round trip. Each has a place, by which its answer is found among all that come back.
struct StatementBatch {
    /// Where the answer to a statement stands, and how it is read.
    struct Place<Answer> {
        fileprivate let index: Int
        fileprivate let read: (PostgresResult) -> Answer
    }

    private var statements: [SQLText] = []

    /// Adds a statement whose result is the answer.
    @discardableResult
    mutating func add(_ statement: SQLText) -> Place<PostgresResult> {
        add(statement) { $0 }
    }

    /// Adds a statement.
    /// - Parameter read: what its result comes to.
    mutating func add<Answer>(
        _ statement: SQLText, reading read: @escaping (PostgresResult) -> Answer
    ) -> Place<Answer> {
        defer { statements.append(statement) }
        return Place(index: statements.count, read: read)
    }

    /// Adds statements whose answers nobody needs.
    mutating func add(_ others: [SQLText]) {
        statements += others
    }

    /// Runs the statements in their order; without any there is no round trip.
    func run(on connection: PostgresConnection) throws(PostgresFailure) -> Answers {
        Answers(results: statements.isEmpty ? [] : try connection.run(statements))
    }

    /// What the statements of a batch answered.
    struct Answers {
        fileprivate let results: [PostgresResult]

        /// The answer at a place that the same batch gave.
        subscript<Answer>(place: Place<Answer>) -> Answer { place.read(results[place.index]) }
    }
}
