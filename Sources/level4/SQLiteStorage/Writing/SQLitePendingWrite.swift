import Platform
import Tables

/// A write whose caller is waiting.
final class SQLitePendingWrite: Sendable {
    /// Performs the write in a batch. Returns a function that tells the caller the result, given the commit's; nil if
    /// the batch has to be repeated with `withSavepoint`, which a write of `oneRow` doesn't have at first.
    let perform: @Sendable (_ session: WriteSession, _ withSavepoint: Bool) -> Verdict?
    /// When it arrived.
    let arrival = Clocks.exact
    /// Whether it needs a commit of its own.
    let isAlone: Bool
    /// Tells the caller that the write was not started.
    let refuse: @Sendable (TableError) -> Void

    /// Called once, with the commit's error if it failed.
    typealias Verdict = (TableError?) -> Void

    /// What a write may change.
    enum Scope {
        /// One row, with records about it: a failure mostly happens before anything is changed.
        case oneRow
        /// Anything, in a savepoint.
        case whatever
        /// Anything, in a commit of its own, so that undoing it undoes no other write.
        case alone
    }

    /// - Parameter body: called again if its batch is rolled back because of another write.
    init<Success: Sendable>(
        _ scope: Scope = .whatever, _ body: @escaping @Sendable (WriteSession) throws(TableError) -> Success,
        answer: @escaping @Sendable (Result<Success, TableError>) -> Void
    ) {
        isAlone = scope == .alone
        perform = { session, withSavepoint in
            let result: Result<Success, TableError>
            if scope == .oneRow, !withSavepoint {
                let before = session.connection.changeCount
                result = Result { () throws(TableError) in try body(session) }
                if case .failure(let error) = result,
                    !error.isRefusal || session.connection.changeCount != before
                {
                    return nil
                }
            } else {
                result = Result { () throws(TableError) in try session.savepoint(body) }
            }
            return { commitError in
                switch (result, commitError) {
                case (.success, let error?): answer(.failure(error))
                default: answer(result)
                }
            }
        }
        refuse = { answer(.failure($0)) }
    }
}

extension TableError {
    /// Whether no statement failed. A failed one may be half done, for example because of another program's trigger
    /// with RAISE(FAIL), and its changes may not all be counted.
    fileprivate var isRefusal: Bool {
        switch self {
        case .query, .unknownProperty, .reservedProperty, .invalidColumnName, .typeMismatch, .tooManyDigits,
            .tooManyColumns, .tooManyClientColumns, .tooManyClientTables, .outsideScope, .definition, .away:
            true
        case .unavailable, .doubtful, .timeout, .busy, .crowded, .abandoned, .tooLarge, .full, .refused,
            .failed:
            false
        }
    }
}
