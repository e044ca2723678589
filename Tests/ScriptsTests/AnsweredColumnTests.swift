import JSONText
import Tables
import Testing

@testable import Scripts

@Suite struct `Names of columns in the rows that scripts answer` {
    private func answered(
        _ json: String, by generation: ScriptGeneration = .v1, columns: [String] = [], toServices: Bool = false
    ) throws -> String {
        let columns = try columns.map { Column(try #require(Identifier($0)), .string) }
        let table = Table(name: try #require(Identifier("notes")), columns: columns, rules: TableRules())
        let body = try JSONReader.parse(Array(json.utf8))
        return generation.columns(ofRows: body, of: table, toServices: toServices).jsonText
    }

    @Test func `are the app's own to clients of Mobile Services`() throws {
        let rows = #"[{"id":"a","version":1,"__version":"x"},{"id":"b","Deleted":true},{"deleted":1}]"#
        #expect(
            try answered(rows, toServices: true)
                == #"[{"id":"a","__own_version":1,"__version":"x"},{"id":"b","__own_Deleted":true},{"deleted":1}]"#)
    }

    @Test func `stay the server's to later clients of a table without such a column`() throws {
        let row = #"{"id":"a","updatedAt":"2014","version":"x","deleted":true,"__createdAt":"2013"}"#
        #expect(try answered(row) == row)
        #expect(try answered("[\(row)]", columns: ["createdAt2"]) == "[\(row)]")
        let other = #"{"id":"a","version":"x","__version":"y"}"#
        #expect(try answered(other, by: .v2, columns: ["__own_version"]) == other)
    }

    @Test func `are the app's own to later clients where the table or the row tells both apart`() throws {
        #expect(
            try answered(#"{"id":"a","version":1,"deleted":true}"#, columns: ["__own_Version"])
                == #"{"id":"a","__own_version":1,"deleted":true}"#)
        #expect(
            try answered(#"[{"id":"a","__VERSION":"x","version":1,"deleted":true},{"id":"b","version":"y"}]"#)
                == #"[{"id":"a","__VERSION":"x","__own_version":1,"deleted":true},{"id":"b","version":"y"}]"#)
    }
}
