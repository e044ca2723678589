import ByteText
import Synchronization

/// Which lists are over soon and small, by what was seen of their statements. Those go with others in one round trip, and
/// their results come whole, which is cheaper than row by row.
final class BriefLists: Sendable {
    /// How long a brief one takes at most, beside others that have the machine busy.
    private static let time = Duration.milliseconds(10)
    /// The most memory that its rows take.
    private static let bytes = 512 << 10
    /// The same where each row is a result of its own, of two kilobytes at least.
    private static let bytesByRow = 2 << 20
    /// The most statements that are known. With one more all are forgotten.
    private static let capacity = 1_024

    private let records = Mutex<[ExactText: Record]>([:])

    private struct Record {
        /// How often it was brief, one time after the other.
        var streak = 0
        /// How often it has to have been.
        var needed = 1

        static let mostNeeded = 256

        mutating func take(isBrief: Bool) {
            streak = isBrief ? streak + 1 : 0
            if streak >= Self.mostNeeded { needed = 1 }
        }
    }

    /// Whether a statement is thought to be brief.
    func has(_ text: String) -> Bool {
        records.withLock { records in
            guard let record = records[ExactText(text)] else { return false }
            return record.streak >= record.needed
        }
    }

    /// Takes note of a statement whose result came whole.
    func note(_ text: String, _ result: PostgresResult, took time: Duration) {
        change(text) { $0.take(isBrief: time <= Self.time && result.byteCount <= Self.bytes) }
    }

    /// Takes note of a statement whose rows came one by one.
    /// - Parameter bytes: what their results took in sum.
    func note(_ text: String, bytesByRow bytes: Int, took time: Duration) {
        change(text) { $0.take(isBrief: time <= Self.time && bytes <= Self.bytesByRow) }
    }

    /// Takes note that a statement was not brief though it was thought to be, which costs more than it may save.
    func noteFailure(_ text: String) {
        change(text) { record in
            record.streak = 0
            record.needed = min(2 * record.needed, Record.mostNeeded)
        }
    }

    private func change(_ text: String, _ body: (inout Record) -> Void) {
        records.withLock { records in
            let text = ExactText(text)
            if records.count >= Self.capacity, records[text] == nil { records.removeAll() }
            body(&records[text, default: Record()])
        }
    }
}
