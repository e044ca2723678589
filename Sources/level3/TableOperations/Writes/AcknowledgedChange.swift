import HTTPModel
import Tables

/// One change that may be sent again, and whether it is told that it won.
struct AcknowledgedChange {
    private let key: [UInt8]
    private let ticket: ResponseTicket?
    private let answers: AcknowledgedChanges

    /// - Returns: nil for a change that is new each time, or is done once whatever becomes of its answer.
    init?(_ call: WriteCall, _ answers: AcknowledgedChanges) {
        guard let receipt = call.receipt, !receipt.isOnce else { return nil }
        key = receipt.key
        ticket = call.answer
        self.answers = answers
    }

    func begin() {
        if let ticket { answers.begin(key, ticket) }
    }

    /// What is told: a repetition whose first answer may have arrived is a conflict with the row as it is.
    func end<Row>(_ result: WriteResult<Row>) async -> WriteResult<Row> {
        guard result.isRepeat else {
            if let ticket { answers.end(key, ticket, isDone: result.outcome == .written) }
            return result
        }
        let isWon = if let ticket { await answers.claim(key, ticket) } else { false }
        return isWon ? result : WriteResult(.mismatch, result.row)
    }

    /// An error was told, and whether the change was done may not be known.
    func failed() {
        if let ticket { answers.end(key, ticket, isDone: false) }
    }
}
