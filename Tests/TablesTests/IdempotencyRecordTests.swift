import StorageTesting
import Tables
import Testing

@Suite struct `A kept receipt` {
    /// A line of the table: what was kept, what is refused now, and whether that would be wrong.
    struct Line: Sendable, CustomStringConvertible {
        let description: String
        let kept: IdempotencyRecord
        let refusal: WriteOutcome
        let version: Int64?
        let answer: String?

        init(
            _ description: String, _ kept: IdempotencyRecord, _ refusal: WriteOutcome, of version: Int64?,
            _ answer: String?
        ) {
            self.description = description
            self.kept = kept
            self.refusal = refusal
            self.version = version
            self.answer = answer
        }
    }

    private static let written = IdempotencyRecord(version: Version(counter: 7), record: nil)
    private static let removed = IdempotencyRecord(version: nil, record: RowRecord())
    private static let unreadable = IdempotencyRecord(version: nil, record: nil)

    private static let lines = [
        Line("an insert whose own row has the id", written, .duplicate, of: 7, "the row"),
        Line("an insert whose row was changed since", written, .duplicate, of: 8, nil),
        Line("an update that raised the version itself", written, .mismatch, of: 7, "the row"),
        Line("an update after which another one came", written, .mismatch, of: 8, nil),
        Line("a delete that left the tombstone itself", written, .tombstone, of: 7, "the row"),
        Line("a delete of what another one deleted", written, .tombstone, of: 9, nil),
        Line("a delete that removed the row itself", removed, .missing, of: nil, "the record"),
        Line("a delete whose row was not kept", unreadable, .missing, of: nil, nil),
        Line("a delete after which the row was made anew", removed, .mismatch, of: 8, nil),
        Line("an update whose row was removed since", written, .missing, of: nil, nil),
        Line("a row without a version", removed, .duplicate, of: nil, nil),
        Line("an id that a hidden row has", written, .taken, of: nil, nil),
        Line("a write that was done", written, .written, of: 7, nil),
    ]

    @Test(arguments: lines)
    func `answers in the place of a refusal where its write left the row so`(_ line: Line) {
        let answer = line.kept.answer(inPlaceOf: line.refusal, of: line.version.map { Version(counter: $0) })
        #expect(answer.map(Self.words) == line.answer)
    }

    @Test func `answers before the write is made what it would answer after a refusal`() {
        func answer(
            _ action: RowWrite.Action, if precondition: Precondition = .none, of id: RowID? = .text("a"),
            isOnce: Bool = false, _ kept: IdempotencyRecord, found: RowState?
        ) -> String? {
            let receipt = WriteReceipt(key: [1], isOnce: isOnce, window: .seconds(60))
            let write = RowWrite(action, of: id, in: "a", if: precondition, receipt: receipt)
            return kept.answer(to: write, found: found, in: .soft).map(Self.words)
        }
        let found = RowState(version: Version(counter: 7), isDeleted: false)
        let seenOnly = RowState(version: Version(counter: 7), isDeleted: false, isWritable: false)
        let update = RowWrite.Action.update
        let stale = Precondition.version(Version(counter: 6))

        #expect(answer(.insert, Self.written, found: found) == "the row")
        #expect(answer(.insert, Self.written, found: seenOnly) == "the row")
        #expect(answer(.insert, Self.removed, found: nil) == nil)
        #expect(answer(update, if: stale, Self.written, found: found) == "the row")
        #expect(answer(update, if: stale, Self.written, found: seenOnly) == nil)
        #expect(answer(update, Self.written, found: found) == nil)
        #expect(answer(.delete, Self.removed, found: nil) == "the record")
        #expect(answer(.insert, of: nil, Self.removed, found: nil) == nil)
        #expect(answer(.insert, of: nil, isOnce: true, Self.removed, found: nil) == "the record")
        #expect(answer(.insert, of: nil, isOnce: true, Self.unreadable, found: nil) == nil)
    }

    @Test func `has the row where that can't be read again, and a version where there is a row`() {
        let version = Version(counter: 7)
        for (demand, rules, isOnce, hasRecord, hasVersion) in [
            (.insert, .soft, false, false, true), (.insert, .soft, true, true, true),
            (.delete(if: .none), .soft, false, false, true), (.delete(if: .none), .soft, true, true, true),
            (.delete(if: .none), TableRules(), false, true, false),
            (.delete(if: .none), TableRules(), true, true, false),
        ] as [(WriteDemand, TableRules, Bool, Bool, Bool)] {
            let receipt = WriteReceipt(key: [1], isOnce: isOnce, window: .seconds(60))
            #expect(receipt.keepsRecord(of: demand, in: rules) == hasRecord)
            let kept = IdempotencyRecord(of: demand, in: rules, version: version, record: nil)
            #expect((kept.version != nil) == hasVersion)
        }
    }

    private static func words(_ answer: IdempotencyRecord.Answer) -> String {
        switch answer {
        case .foundRow: "the row"
        case .record: "the record"
        }
    }
}
