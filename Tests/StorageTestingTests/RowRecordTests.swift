import StorageTesting
import Tables
import Testing

@Suite struct `The record of a row` {
    private static let own = [
        Column("text", .string), Column("number", .number), Column("yes", .boolean), Column("day", .dateOnly),
    ]

    private func visit<Row: RowVisitor>(_ visitor: Row) -> Row {
        var row = visitor
        row.begin(SystemColumn.allCases.map(Field.system) + Self.own.map(Field.own))
        row.beginRow()
        for text in ["a", "2026-11-21T00:00:00.000Z", "2026-11-21T00:00:00.001Z"] { row.text(Array(text.utf8).span) }
        row.version(Version(counter: .max))
        row.boolean(false)
        row.text(Array("\u{0}é🎈".utf8).span)
        row.number(-0.1)
        row.boolean(true)
        row.null()
        row.endRow()
        return row
    }

    @Test func `is visited as the row was`() throws {
        let rows = visit(RecordedRows())
        let again = try #require(RowRecord(bytes: visit(RowRecord()).bytes).visited(by: RecordedRows()))
        #expect(again == rows && again.faults.isEmpty && again.row["version"] == .version(Version(counter: .max)))
        var numbered = RowRecord()
        numbered.begin([.system(.id)])
        numbered.beginRow()
        numbered.integer(.min)
        numbered.endRow()
        #expect(numbered.visited(by: RecordedRows())?.row == ["id": .integer(.min)])
    }

    @Test func `is none where bytes are missing or its form is another`() {
        let bytes = visit(RowRecord()).bytes
        for count in 0..<bytes.count {
            #expect(RowRecord(bytes: Array(bytes.prefix(count))).visited(by: RecordedRows()) == nil)
        }
        #expect(RowRecord(bytes: [2] + bytes.dropFirst()).visited(by: RecordedRows()) == nil)
        #expect(RowRecord(bytes: Array(repeating: 255, count: 64)).visited(by: RecordedRows()) == nil)
    }
}
