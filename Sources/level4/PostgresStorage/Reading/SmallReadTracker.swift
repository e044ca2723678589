import ByteText
import Synchronization

/// Tracks which lists are quick and small, judging by earlier runs of their statements. Those share a round trip with
/// others, and their results are received whole, which is cheaper than row by row.
final class SmallReadTracker: Sendable {
    /// The maximum duration of a brief statement, while others keep the machine busy.
    private static let time = Duration.milliseconds(10)
    /// The maximum size of its rows in memory.
    private static let bytes = 512 << 10
    /// The same if each row is a separate result, of at least two kilobytes.
    private static let bytesByRow = 2 << 20
    /// The maximum number of statements tracked. Beyond that, all are dropped.
    private static let capacity = 1_024

    private let records = Mutex<[ExactText: Record]>([:])

    private struct Record {
        /// How often in a row it was brief.
        var streak = 0
        /// How often in a row it has to be brief.
        var needed = 1

        static let mostNeeded = 256

        mutating func take(isBrief: Bool) {
            streak = isBrief ? streak + 1 : 0
            if streak >= Self.mostNeeded { needed = 1 }
        }
    }

    /// Whether a statement should be brief.
    func has(_ text: String) -> Bool {
        records.withLock { records in
            guard let record = records[ExactText(text)] else { return false }
            return record.streak >= record.needed
        }
    }

    /// Records a statement whose result was received whole.
    func note(_ text: String, _ result: PostgresResult, took time: Duration) {
        change(text) { $0.take(isBrief: time <= Self.time && result.byteCount <= Self.bytes) }
    }

    /// Records a statement whose rows were received one by one.
    /// - Parameter bytes: the total size of their results.
    func note(_ text: String, bytesByRow bytes: Int, took time: Duration) {
        change(text) { $0.take(isBrief: time <= Self.time && bytes <= Self.bytesByRow) }
    }

    /// Records that a statement that should have been brief wasn't, which costs more than sharing can save.
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
