import StorageTesting
import Tables
import Testing

@testable import SQLiteStorage

@Suite struct `Copies of rows` {
    private func visit<Row: RowVisitor>(_ visitor: Row) -> Row {
        let own = [
            Column("empty", .string), Column("quoted", .string), Column("price", .decimal), Column("number", .number),
            Column("flag", .boolean), Column("none", .string), Column("rank", .integer), Column("last", .string),
        ]
        var row = visitor
        row.begin(RowLayout([.system(.id), .system(.version)] + own.map(Field.own)))
        row.beginRow()
        row.text(Array("é🎈\u{0}".utf8).span)
        row.version(Version(counter: .max))
        row.text([UInt8]().span)
        row.text(Array("a \"quote\"".utf8).span)
        row.decimal(Array("-0.10".utf8).span)
        row.number(-0.5)
        row.boolean(true)
        row.null()
        row.integer(.min)
        row.text(Array("last".utf8).span)
        row.endRow()
        return row
    }

    @Test func `are visited as the rows were, and copied once more, whole, as well`() {
        let row = visit(RecordedRows())
        let copy = visit(RowCopy())
        #expect(row.rows.count == 1 && row.rows[0].count == 10)
        #expect(copy.visited(by: RecordedRows()) == row)
        #expect(copy.visited(by: RowCopy()).visited(by: RecordedRows()) == row)
    }
}
