import TableSQL
import Tables

/// A read that is one quick statement, whose result is received whole, and which can share a round trip with others.
struct SharedRead<Success: Sendable>: Sendable {
    /// The table that is read. A read that waits for its lock doesn't keep reads of other tables waiting.
    let table: Identifier
    /// The statement as of now; nil if the read has to go alone.
    /// What is made of the result is nil if the read has to be done again, alone.
    let begin: @Sendable () -> BegunRead<Success?>?

    /// The same for a caller that waits. What is made of the result is whether the caller was told.
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
    /// What is made of the result, given the time it took.
    let answer: (PostgresResult, Duration) -> Answer
    /// Records that the statement failed, or took more than it should.
    var fail: () -> Void = {}
}

/// A read whose caller waits.
struct PendingRead: Sendable {
    /// Does the read and tells the caller. If it failed, it tells nobody and returns why.
    let perform: @Sendable (PostgresConnection) -> PostgresFailure?
    let refuse: @Sendable (TableError) -> Void
    /// Whether it has no time limit.
    let isPatient: Bool
    /// The read as one statement; nil if it goes alone.
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
