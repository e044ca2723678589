import JSONText
import Tables

/// Rows to JSON and a body from JSON, with no database in between.
enum RowBenchmark {
    static func run() throws {
        let table = Table(
            name: try BenchmarkTable.name("TodoItem"), columns: try BenchmarkTable.columns(),
            rules: BenchmarkTable.rules)
        let stamp = Array("2026-11-21T12:00:00.123Z".utf8)
        let (id, text) = (Array("0d4f3a3e-7a1b-4c8e-9f53-2b6f1c0e8d7a".utf8), Array("Item number 5 of many".utf8))
        Measurement.run("50 rows as JSON") {
            var rows = RowJSON.list(wrapped: false)
            rows.begin(table.fields)
            for number in 0..<50 {
                rows.beginRow()
                rows.text(id.span)
                rows.text(stamp.span)
                rows.text(stamp.span)
                rows.version(Version(counter: 5))
                rows.boolean(false)
                rows.text(text.span)
                rows.boolean(true)
                rows.integer(Int64(number))
                rows.number(1.25)
                rows.endRow()
            }
            keep(rows.finishList(count: nil))
        }
        let body = Array(
            """
            {"id":"0d4f3a3e-7a1b-4c8e-9f53-2b6f1c0e8d7a","text":"Item number 5 of many","complete":false,"rank":5,\
            "weight":1.25,"note":"some more words to make the body as long as bodies are","share":0.125}
            """.utf8)
        try Measurement.run("a body of 7 members read") { keep(try JSONReader.parse(body)) }
    }
}
