import JSONText
import Tables
import Testing

@testable import TableAPI

@Suite struct `JSON patches` {
    private static func table() throws -> Table {
        func name(_ text: String) throws -> Identifier { try #require(Identifier(text)) }
        return Table(
            name: try name("todo"),
            columns: [
                Column(try name("text"), .string), Column(try name("note"), .string),
                Column(try name("price"), .decimal),
            ], rules: TableRules())
    }

    private static func row(text: String) throws -> DatasyncRow {
        var row = DatasyncRow(keepsValues: true)
        row.begin(try table().columns.map(Field.own))
        row.beginRow()
        row.text(Array(text.utf8).span)
        row.null()
        row.decimal(Array("12345678901234567890.10".utf8).span)
        row.endRow()
        return row
    }

    private static func members(_ patch: String, text: String = "tea") throws -> [JSONMember] {
        try JSONPatch(Array(patch.utf8)).members(on: row(text: text), of: table()) { _ in .null }
    }

    @Test func `operations see what those before them did`() throws {
        let members = try Self.members(
            """
            [{"op":"COPY","from":"/text","path":"NOTE"},{"op":"replace","path":"/Text","value":"cocoa"},
             {"op":"test","path":"/note","value":"tea"},{"op":"test","path":"text","value":"cocoa"},
             {"op":"move","from":"/text","path":"/new~1name"},{"op":"remove","path":"/note"}]
            """)
        #expect(
            members == [
                JSONMember("NOTE", .null), JSONMember("Text", .null), JSONMember("new/name", .string("cocoa")),
            ])
    }

    @Test(arguments: ["12345678901234567890.1", "12345678901234567890.10", "1234567890123456789010e-2"])
    func `a test takes a number for its value`(number: String) throws {
        #expect(try Self.members(#"[{"op":"test","path":"/price","value":\#(number)}]"#).isEmpty)
    }

    @Test(arguments: ["12345678901234567890.2", "12345678901234567890", #""12345678901234567890.10""#, "null"])
    func `a test of a decimal column is exact`(value: String) throws {
        #expect {
            try Self.members(#"[{"op":"test","path":"/price","value":\#(value)}]"#)
        } throws: {
            guard case .patch(.untrue("price"), at: 1) = $0 as? RequestError else { return false }
            return true
        }
    }

    @Test func `a few words can't become a thousand columns of text`() throws {
        let copies = { (count: Int) in
            "[" + (0..<count).map { #"{"op":"copy","from":"/text","path":"/c\#($0)"}"# }.joined(separator: ",") + "]"
        }
        let text = String(repeating: "x", count: JSONPatch.maximumCopied / 16)
        #expect(try Self.members(copies(16), text: text).count == 16)
        #expect {
            try Self.members(copies(17), text: text)
        } throws: {
            guard case .patch(.copiesTooMuch(limit: JSONPatch.maximumCopied), at: 17) = $0 as? RequestError else {
                return false
            }
            return true
        }
    }

    @Test(arguments: ["", "/", "/text/0", "/te~xt", "/text~", "//"])
    func `a path leads to one member`(path: String) {
        #expect {
            try Self.members(#"[{"op":"replace","path":"\#(path)","value":1}]"#)
        } throws: {
            guard case .patch(.path(path), at: 1) = $0 as? RequestError else { return false }
            return true
        }
    }
}
