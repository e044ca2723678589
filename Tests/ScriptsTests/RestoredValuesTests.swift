import JSONText
import Scalars
import Tables
import Testing

@testable import TableOperations

@Suite struct `What JavaScript takes from the values of a page` {
    private static func restored(_ text: String, from rows: [[Property]]) throws -> String {
        var answer = ScriptedAnswer(nil, try JSONReader.parse(Array(text.utf8)))
        answer.restore(from: .rows(rows.map { Record($0) }, count: nil))
        var json = JSONWriter()
        json.value(try #require(answer.body))
        return String(decoding: json.bytes, as: UTF8.self)
    }

    private static func row(_ id: String, _ properties: Property...) -> [Property] {
        [Property("id", .text(id))] + properties
    }

    @Test(arguments: [9_007_199_254_740_993, -9_007_199_254_740_992, Int64.max, Int64.min])
    func `a whole number that it would round is one again`(whole: Int64) throws {
        let rows = [Self.row("a", Property("total", .integer(whole))), Self.row("b", Property("total", .integer(1)))]
        #expect(
            try Self.restored(#"[{"id":"a","total":"\#(whole)","seen":true},{"id":"b","total":1}]"#, from: rows)
                == #"[{"id":"a","total":\#(whole),"seen":true},{"id":"b","total":1}]"#)
    }

    @Test func `digits that it has rounded are back, by the name of the column in any case`() throws {
        let exact = try #require(DecimalNumber("1.10000000000000000001"))
        let rows = [Self.row("a", Property("price", .decimal(exact))), Self.row("b", Property("price", .number(2.5)))]
        #expect(
            try Self.restored(#"[{"id":"b","Price":2.5},{"id":"a","Price":1.1}]"#, from: rows)
                == #"[{"id":"b","Price":2.5},{"id":"a","Price":1.10000000000000000001}]"#)
    }

    @Test func `numbers of the database as ids are found too`() throws {
        let rows = [[Property("id", .integer(7)), Property("total", .integer(.max))]]
        #expect(
            try Self.restored(#"[{"id":7,"total":"\#(Int64.max)"}]"#, from: rows)
                == #"[{"id":7,"total":\#(Int64.max)}]"#)
    }

    @Test func `what a script has changed stays so`() throws {
        let exact = try #require(DecimalNumber("1.10000000000000000001"))
        let rows = [Self.row("a", Property("total", .integer(.max)), Property("price", .decimal(exact)))]
        for text in [#"[{"id":"a","total":"many","price":1.2}]"#, #"[{"id":"c","total":"\#(Int64.max)"}]"#, "[5]"] {
            #expect(try Self.restored(text, from: rows) == text)
        }
    }

    @Test func `a page without such values is left as it is`() throws {
        let rows = [Self.row("a", Property("number", .integer(9_007_199_254_740_991)), Property("text", .text("5")))]
        // Text that a script has made of a number is text.
        let text = #"[{"id":"a","number":"9007199254740991","text":"5","rate":2.50}]"#
        #expect(try Self.restored(text, from: rows) == text)
    }

    @Test func `one row is restored like those of a list`() throws {
        var answer = ScriptedAnswer(nil, .object([JSONMember("total", .string("9007199254740993"))]))
        answer.restore(from: .row(Record([Property("Total", .integer(9_007_199_254_740_993))])))
        #expect(answer.body == .object([JSONMember("total", .integer(9_007_199_254_740_993))]))
    }
}
