import CustomAPI
import JSONText
import TableOperations
import Tables
import Testing

@Suite("Rows as values")
struct RecordTests {
    @Test func `names match in any case and keep their first spelling`() {
        var record: Record = ["Text": "a", "done": false]
        record["text"] = "b"
        record["rank"] = 3
        record["DONE"] = nil
        #expect(record == ["Text": "b", "rank": 3])
        #expect(record["TEXT"] == "b")
        #expect(record["none"] == nil)
    }

    @Test func `null is a value, and nil is none`() {
        var record: Record = ["a": nil]
        #expect(record["a"] == .some(.null))
        record["a"] = .some(.null)
        #expect(record.properties.count == 1)
        record["a"] = .none
        #expect(record.properties.isEmpty)
    }

    @Test func `of two values with one name the last counts`() {
        #expect(Record([Property("a", 1), Property("A", 2)]) == ["A": 2])
    }

    @Test func `a record is an object of JSON in its order`() {
        let record: Record = ["b": "x", "a": 1, "c": 1.5, "d": true, "e": nil]
        let json = JSONValue(record)
        #expect(json == ["b": "x", "a": 1, "c": 1.5, "d": true, "e": nil])
        #expect(String(decoding: APIResponse.json(row: record).body, as: UTF8.self).hasPrefix(#"{"b":"x","a":1,"#))
    }

    @Test(arguments: [
        ("O'Hara", "name eq 'O''Hara'"), ("' or 1 eq 1 or '", "name eq ''' or 1 eq 1 or '''"), ("", "name eq ''"),
    ])
    func `text in a condition stays text`(name: String, text: String) {
        let filter: RowFilter = "name eq \(name)"
        #expect(filter.text == text)
    }

    @Test func `numbers, truth values and conditions without values are as written`() {
        let filter: RowFilter = "a eq \(1) and b eq \(true) and c lt \(1.5) and d ne null and e ne \(Double.nan)"
        #expect(filter.text == "a eq 1 and b eq true and c lt 1.5 and d ne null and e ne null")
    }

    @Test(arguments: [
        ("text", JSONValue.string("x"), Value.text("x")), ("whole", .integer(1), .integer(1)), ("null", .null, .null),
    ])
    func `a member of JSON is a cell`(name: String, json: JSONValue, value: Value) {
        #expect(Value(json) == value)
        #expect(JSONValue(value) == json)
    }

    @Test(arguments: [JSONValue.array([]), .object([])])
    func `what no column holds is no cell`(json: JSONValue) {
        #expect(Value(json) == nil)
    }
}
