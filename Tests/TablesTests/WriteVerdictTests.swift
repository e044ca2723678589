import OData
import StorageTesting
import Tables
import Testing

@Suite struct `The verdict on a write` {
    /// A line of the table: what is demanded, what is found, and what comes of it in a table with soft delete.
    struct Line: Sendable, CustomStringConvertible {
        let description: String
        let demand: WriteDemand
        let found: RowState?
        let verdict: WriteVerdict

        init(_ description: String, _ demand: WriteDemand, _ found: RowState?, _ verdict: WriteVerdict) {
            self.description = description
            self.demand = demand
            self.found = found
            self.verdict = verdict
        }
    }

    private static let live = RowState(version: Version(counter: 7), isDeleted: false)
    private static let tombstone = RowState(version: Version(counter: 7), isDeleted: true)
    private static let foreign = RowState(version: nil, isDeleted: false)
    private static let seenOnly = RowState(version: Version(counter: 7), isDeleted: true, isWritable: false)
    private static let hidden = RowState(version: Version(counter: 7), isDeleted: false, isInScope: false)
    private static let hiddenFromStranger = RowState(
        version: Version(counter: 7), isDeleted: false, isInScope: false, isWritable: false)
    private static let right = Precondition.version(Version(counter: 7))
    private static let stale = Precondition.version(Version(counter: 6))

    private static let inserts = [
        Line("a free id is written", .insert, nil, .allowed),
        Line("a live row's id is taken", .insert, live, .refused(.duplicate)),
        Line("a tombstone's id is taken", .insert, tombstone, .refused(.duplicate)),
        Line("a visible row's id is taken, whoever may write it", .insert, seenOnly, .refused(.duplicate)),
        Line("a hidden row's id is taken, and the row not shown", .insert, hidden, .refused(.taken)),
        Line("who may not write the new row learns no id", .insert, hiddenFromStranger, .failed(.outsideScope)),
    ]

    private static let changes: [Line] = [
        (right, "the right version", WriteVerdict.allowed, WriteVerdict.refused(.mismatch)),
        (stale, "a stale version", .refused(.mismatch), .refused(.mismatch)),
        (.unmatchable, "no version", .refused(.mismatch), .refused(.mismatch)),
        (.none, "any version", .allowed, .allowed),
    ].flatMap { (precondition, words, onLive, onForeign) -> [Line] in
        let update = WriteDemand.update(if: precondition, includesTombstones: false)
        let undelete = WriteDemand.update(if: precondition, includesTombstones: true)
        let delete = WriteDemand.delete(if: precondition)
        return [
            Line("an update of \(words) of a live row", update, live, onLive),
            Line("an update of \(words) of a tombstone", update, tombstone, .refused(.tombstone)),
            Line("an update of \(words) of no row", update, nil, .refused(.missing)),
            Line("an update of \(words) of a hidden row", update, hiddenFromStranger, .refused(.missing)),
            Line("an update of \(words) of a row to be seen only", update, seenOnly, .failed(.outsideScope)),
            Line("an update of \(words) of a row without a version", update, foreign, onForeign),
            Line("an undelete of \(words) of a tombstone", undelete, tombstone, onLive),
            Line("an undelete of \(words) of a live row", undelete, live, onLive),
            Line("an undelete of \(words) of a row to be seen only", undelete, seenOnly, .failed(.outsideScope)),
            Line("a delete of \(words) of a live row", delete, live, onLive),
            Line("a delete of \(words) of a tombstone", delete, tombstone, .refused(.tombstone)),
            Line("a delete of \(words) of no row", delete, nil, .refused(.missing)),
            Line("a delete of \(words) of a row to be seen only", delete, seenOnly, .failed(.outsideScope)),
        ]
    }

    @Test(arguments: inserts + changes)
    func `is the same wherever the row lives`(_ line: Line) {
        #expect(WriteVerdict(on: line.demand, found: line.found, in: .soft) == line.verdict)
    }

    @Test func `takes no row for a tombstone where the table has no soft delete`() {
        let verdict = WriteVerdict(on: .delete(if: Self.right), found: Self.tombstone, in: TableRules())
        #expect(verdict == .allowed)
    }

    @Test func `gives the outcome of a refusal, throws an error, and nothing of what is allowed`() throws {
        #expect(try WriteVerdict.allowed.refusal() == nil)
        #expect(try WriteVerdict.refused(.mismatch).refusal() == .mismatch)
        #expect(throws: TableError.outsideScope) { try WriteVerdict.failed(.outsideScope).refusal() }
    }

    @Test func `blames the scope where an allowed write wrote nothing, and a rule of the database where there is none`()
    {
        let name: Identifier = "TodoItem"
        let scope = RowScope(.literal(.boolean(true), at: 0))
        #expect(WriteVerdict.nothingWritten(to: name, in: scope) == .outsideScope)
        guard case .refused(.rule, let detail) = WriteVerdict.nothingWritten(to: name, in: nil) else {
            Issue.record("it is blamed on nothing")
            return
        }
        #expect(detail.hasPrefix("a write to TodoItem wrote nothing"))
    }
}

extension TableRules {
    /// The rules of a table with soft delete.
    static var soft: TableRules {
        var rules = TableRules()
        rules.softDelete = true
        return rules
    }
}
