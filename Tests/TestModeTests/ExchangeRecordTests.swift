import Exchanges
import HTTPModel
import JSONText
import Testing

@testable import TestMode

@Suite struct `The record of exchanges` {
    @Test(arguments: [Int.min, -1, 0, 2, Int.max])
    func `has none of a number that it never gave`(_ number: Int) {
        let record = ExchangeRecord()
        record.append(Samples.exchange("GET", "/a"))
        #expect(record.exchange(number) == nil)
        #expect(record.exchange(1) != nil)
    }

    @Test func `numbers exchanges from 1, and again from 1 when it was emptied`() {
        let record = ExchangeRecord()
        #expect(record.append(Samples.exchange("GET", "/a")) == 1)
        #expect(record.append(Samples.exchange("GET", "/b")) == 2)
        #expect(record.all.map(\.number) == [1, 2])
        record.removeAll()
        #expect(record.all.isEmpty && record.forgotten == 0)
        #expect(record.append(Samples.exchange("GET", "/c")) == 1)
    }

    @Test func `forgets the oldest where there are too many, and says how many`() {
        let record = ExchangeRecord(ExchangeRecord.Limits(count: 100))
        for number in 1...100_000 { record.append(Samples.exchange("GET", "/\(number)")) }
        #expect(record.all.map(\.number) == Array(99_901...100_000))
        #expect(record.forgotten == 99_900)
        #expect(record.exchange(99_900) == nil && record.exchange(99_901)?.path == "/99901")
        #expect(record.exchange(100_000)?.path == "/100000" && record.exchange(100_001) == nil)
        #expect(record.exchange(0) == nil && record.exchange(-1) == nil && record.exchange(.max) == nil)
    }

    @Test func `forgets the oldest where they are too large together`() {
        let record = ExchangeRecord(ExchangeRecord.Limits(bytes: 10_000))
        let text = String(repeating: "a", count: 3_000)
        for _ in 0..<10 { record.append(Samples.exchange("POST", "/a", [], text)) }
        #expect(record.all.map(\.number) == [9, 10])
        record.append(Samples.exchange("POST", "/a", [], String(repeating: text, count: 4)))
        #expect(record.all.isEmpty && record.forgotten == 11)
    }

    @Test func `keeps a body of 5 MB up to its limit, and marks it`() throws {
        let record = ExchangeRecord()
        let text = String(repeating: "ä", count: 2_500_000)
        record.append(Samples.exchange("POST", "/a", [], text, answer: Samples.answer(200, "x" + text)))
        let exchange = try #require(record.exchange(1))
        #expect(exchange.body.isCut && exchange.body.length == 5_000_000 && exchange.body.bytes.count == 1 << 20)
        let answer = try #require(exchange.answer?.body)
        // No letter is cut in two.
        #expect(answer.isCut && answer.bytes.count == (1 << 20) - 1 && answer.text != nil)
        let list = try #require(try Samples.ask(record, "GET", "/1")?.json)
        #expect(list["request"]?["body"]?["cut"] == true)
        #expect(list["request"]?["body"]?["bytes"] == 5_000_000)
    }

    @Test func `says of a streamed body what is known of it`() {
        let known = ExchangeRecordTests.streamed(length: 7)
        #expect(known.isStreamed && known.length == 7 && known.bytes.isEmpty && !known.isWhole && !known.isCut)
        #expect(ExchangeRecordTests.streamed(length: nil).length == nil)
    }

    @Test(arguments: [("HEAD", 200), ("GET", 204), ("GET", 304)])
    func `has no body of an answer that is sent without one`(method: String, code: Int) {
        let exchange = Samples.exchange(method, "/a", answer: Samples.answer(code, "text"))
        #expect(exchange.answer?.body.bytes == [])
    }

    @Test(
        arguments: [
            ("/tables/Todo/1?x=/y", "/tables/Todo/1", "Todo"), ("/TABLES/a%20b/", "/TABLES/a b", "a b"),
            ("/tables", "/tables", nil), ("/", "/", nil), ("/a/%zz?b", "/a/%zz", nil), ("", "", nil),
            ("http://h/tables/x", "/tables/x", "x"), ("/api/tables/x", "/api/tables/x", nil),
        ] as [(String, String, String?)])
    func `knows path and table of a target`(target: String, path: String, table: String?) {
        let exchange = Samples.exchange("GET", target)
        #expect(exchange.path == path)
        #expect(exchange.table == table)
    }

    @Test(
        arguments: [
            ("\u{0}", nil), ("a\tb\r\n", "a\tb\r\n"), ("\u{7F}", nil), ("ä", "ä"), ("", ""), ("\u{1B}", nil),
        ] as [(String, String?)])
    func `takes for text what readers of JSON take`(body: String, text: String?) {
        #expect(RecordedBody(Array(body.utf8)).text == text)
        #expect(RecordedBody([0xC3]).text == nil)
    }

    @Test func `a body of nothing but halves of letters is cut where the limit is`() {
        #expect(RecordedBody([UInt8](repeating: 0x80, count: 10)).cut(to: 5).bytes.count == 5)
        #expect(RecordedBody([1, 2, 3]).cut(to: 0).bytes == [])
        #expect(RecordedBody([1, 2, 3]).cut(to: -1).bytes == [])
    }
}

private enum ExchangeRecordTests {
    static func streamed(length: Int?) -> RecordedBody {
        RecordedBody(.stream(ResponseStream(length: length) { nil }))
    }
}
