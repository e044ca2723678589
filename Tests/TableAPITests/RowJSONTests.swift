import Tables
import Testing

@testable import TableAPI

@Suite struct `Rows as JSON` {
    private static func column(_ name: String, _ type: ColumnType) throws -> Field {
        .own(Column(try #require(Identifier(name)), type))
    }

    private static func visit(_ rows: inout RowJSON, _ id: String, _ counter: Int64) {
        rows.beginRow()
        rows.text(Array(id.utf8).span)
        rows.version(Version(counter: counter))
        rows.boolean(false)
        rows.text(Array("t\"ea".utf8).span)
        rows.number(1.5)
        rows.endRow()
    }

    @Test func `a single row is a bare object and its version is known`() throws {
        var row = RowJSON.single()
        row.begin([
            .system(.id), .system(.version), .system(.deleted), try Self.column("Text", .string),
            try Self.column("n", .number),
        ])
        Self.visit(&row, "k1", 2001)
        let text = #"{"id":"k1","version":"AAAAAAAAB9E=","deleted":false,"Text":"t\"ea","n":1.5}"#
        #expect(String(decoding: row.object, as: UTF8.self) == text)
        #expect(row.version == Version(counter: 2001))
        #expect(row.rowCount == 1)
    }

    @Test(arguments: [
        (0, false, "[]"), (0, true, #"{"results":[],"count":7}"#), (1, false, #"[{"id":1}]"#),
        (2, false, #"[{"id":1},{"id":2}]"#), (2, true, #"{"results":[{"id":1},{"id":2}],"count":7}"#),
    ])
    func `a list is bare, or wrapped with its count`(_ count: Int, _ isWrapped: Bool, _ text: String) {
        var rows = RowJSON.list(wrapped: isWrapped)
        rows.begin([.system(.id)])
        for id in 0..<count {
            rows.beginRow()
            rows.integer(Int64(id + 1))
            rows.endRow()
        }
        #expect(rows.integerID == (count == 0 ? nil : Int64(count)))
        #expect(rows.version == nil)
        let finished = rows.finishList(count: isWrapped ? 7 : nil)
        #expect(String(decoding: finished, as: UTF8.self) == text)
    }

    @Test func `nulls and numbers that JSON can't say are null`() throws {
        var row = RowJSON.single()
        row.begin([try Self.column("a", .string), try Self.column("b", .number)])
        row.beginRow()
        row.null()
        row.number(.nan)
        row.endRow()
        #expect(String(decoding: row.object, as: UTF8.self) == #"{"a":null,"b":null}"#)
    }
}
