import Platform
import Tables

/// A write whose caller waits.
final class PendingWrite: Sendable {
    /// Does the write inside a batch and returns what tells the caller how it and the batch's commit went; nil where the
    /// batch has to be undone and done anew with `withSavepoint`, which no write of `oneRow` has at first.
    let perform: @Sendable (_ session: WriteSession, _ withSavepoint: Bool) -> Verdict?
    /// When it came.
    let arrival = Clocks.exact
    /// Whether it has a commit of its own.
    let isAlone: Bool
    /// Tells the caller that the write was never begun.
    let refuse: @Sendable (TableError) -> Void

    /// Called once, with the error of the commit where it failed.
    typealias Verdict = (TableError?) -> Void

    /// What a write may change.
    enum Scope {
        /// One row, with what is kept beside it: what fails mostly has changed nothing by then.
        case oneRow
        /// Anything: it has a savepoint.
        case whatever
        /// Anything, in a commit of its own, so that what undoes it undoes no other.
        case alone
    }

    /// - Parameter body: done once more where its batch is undone for another write of it.
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
    /// Whether no statement failed. One that did may have been half done, as a trigger of somebody's with RAISE(FAIL)
    /// leaves it, and its changes need not all be counted.
    fileprivate var isRefusal: Bool {
        switch self {
        case .query, .unknownProperty, .reservedProperty, .invalidColumnName, .typeMismatch, .tooManyDigits,
            .tooManyColumns, .tooManyClientColumns, .tooManyClientTables, .outsideScope, .definition, .away:
            true
        case .unavailable, .doubtful, .timeout, .busy, .crowded, .abandoned, .tooLarge, .full, .failed: false
        }
    }
}
