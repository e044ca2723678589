import TableSQL
import Tables

/// A read with a single quick statement, whose result is received whole, and which can share a round trip with others.
struct SharedRead<Success: Sendable>: Sendable {
    /// The table that is read. A read that waits for its lock doesn't hold up reads of other tables.
    let table: Identifier
    /// Creates the statement; nil if the read has to go alone.
    /// Its answer is nil if the read has to be repeated, alone.
    let begin: @Sendable () -> BegunRead<Success?>?

    /// The same for a waiting caller. Its answer is whether the caller was resumed.
    fileprivate func begin(
        for continuation: CheckedContinuation<Result<Success, TableError>, Never>
    ) -> BegunRead<Bool>? {
        guard let begun = begin() else { return nil }
        return BegunRead(
            statement: begun.statement,
            answer: { result, time in
                guard let success = begun.answer(result, time) else { return false }
                continuation.resume(returning: .success(success))
                return true
            }, fail: begun.fail)
    }
}

/// A statement that is about to be sent.
struct BegunRead<Answer> {
    let statement: SQLText
    /// Evaluates the result, given the time it took.
    let answer: (PostgresResult, Duration) -> Answer
    /// Records that the statement failed, or exceeded its limits.
    var fail: () -> Void = {}
}

/// A read whose caller is waiting.
struct PendingRead: Sendable {
    /// Performs the read and resumes the caller. If it fails, it returns the failure without resuming the caller.
    let perform: @Sendable (PostgresConnection) -> PostgresFailure?
    let refuse: @Sendable (TableError) -> Void
    /// Whether it has no time limit.
    let isPatient: Bool
    /// The read as a single statement; nil if it goes alone.
    private(set) var begin: (@Sendable () -> BegunRead<Bool>?)?
    private let table: Identifier?

    init<Success: Sendable>(
        _ continuation: CheckedContinuation<Result<Success, TableError>, Never>, isPatient: Bool,
        as shared: SharedRead<Success>? = nil,
        _ body: @escaping @Sendable (PostgresConnection) throws(PostgresFailure) -> Success
    ) {
        self.isPatient = isPatient
        perform = { connection in
            do throws(PostgresFailure) {
                let success = try body(connection)
                continuation.resume(returning: .success(success))
                return nil
            } catch {
                return error
            }
        }
        refuse = { continuation.resume(returning: .failure($0)) }
        table = shared?.table
        begin = if let shared { { shared.begin(for: continuation) } } else { nil }
    }

    /// The same read, to go alone.
    var alone: PendingRead {
        var read = self
        read.begin = nil
        return read
    }

    /// Whether two reads can share a round trip.
    static func mayGoTogether(_ one: PendingRead, _ other: PendingRead) -> Bool {
        one.begin != nil && other.begin != nil && one.table == other.table
    }
}
