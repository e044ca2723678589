import ByteText
import Tables
import Testing

@Suite struct `Triggers that another program removed or changed` {
    private func lost(_ recorded: [ExactText: Int], _ found: [ExactText: Int]) -> [String] {
        TriggerDriftReport.lost(recorded, found: found, essential: ["inserted", "updated"]) { name, before, now in
            before == now || name == "turn"
        }
    }

    private let inserted = ExactText("inserted")
    private let deleted = ExactText("deleted")
    private let turn = ExactText("turn")

    @Test func `are those that are not as they were recorded`() {
        #expect(lost([inserted: 1, deleted: 1], [inserted: 1, deleted: 1, turn: 1]) == [])
        #expect(lost([inserted: 1, deleted: 1], [:]) == ["deleted", "inserted"])
        #expect(lost([inserted: 1, deleted: 1], [inserted: 1, deleted: 2]) == ["deleted"])
        #expect(lost([turn: 1], [turn: 2]) == [])
    }

    @Test func `are those that every version made, where nothing was recorded`() {
        #expect(lost([:], [inserted: 1]) == ["updated"])
        #expect(lost([:], [:]) == ["inserted", "updated"])
    }
}
