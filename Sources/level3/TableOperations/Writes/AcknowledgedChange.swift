import HTTPModel
import Tables

/// One change that may be sent again, and whether its sender is told that it won.
struct AcknowledgedChange {
    private let key: [UInt8]
    private let ticket: ResponseTicket?
    private let answers: AcknowledgedChanges

    /// - Returns: nil for a change that is new each time, or that is done only once whatever becomes of its answer.
    init?(_ call: WriteCall, _ answers: AcknowledgedChanges) {
        guard let receipt = call.receipt, !receipt.isOnce else { return nil }
        key = receipt.key
        ticket = call.answer
        self.answers = answers
    }

    func begin() {
        if let ticket { answers.begin(key, ticket) }
    }

    /// Decides the answer: a repeat whose first answer may have arrived is a conflict with the current row.
    func end<Row>(_ result: WriteResult<Row>) async -> WriteResult<Row> {
        guard result.isRepeat else {
            if let ticket { answers.end(key, ticket, isDone: result.outcome == .written) }
            return result
        }
        let isWon = if let ticket { await answers.claim(key, ticket) } else { false }
        return isWon ? result : WriteResult(.mismatch, result.row)
    }

    /// Records that an error was answered; whether the change was done may be unknown.
    func failed() {
        if let ticket { answers.end(key, ticket, isDone: false) }
    }
}
