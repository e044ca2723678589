import Testing
import WireTesting

/// The tests of pages are worth what their reader refuses.
@Suite struct `The reader of metrics` {
    @Test(arguments: [
        "a 1\n", "# TYPE a gauge\na 1", "# TYPE a gauge\na one\n", "# TYPE a gauge\na{b=\"c\" 1\n",
        "# TYPE a gauge\na{b=\"\\t\"} 1\n", "# TYPE a gauge\na{b=c} 1\n", "# TYPE a gauge\na 1\na 2\n",
        "# TYPE a gauge\n# TYPE a gauge\na 1\n", "# TYPE a gauge\n# TYPE b gauge\na 1\n", "# TYPE a counter\na -1\n",
        "# TYPE 1a gauge\n", "# HELP a x\n# HELP a y\n", "# TYPE a gauge\na{b:c=\"\"} 1\n", "\n",
        "# TYPE a histogram\na_bucket{le=\"1\"} 1\na_sum 1\na_count 1\n",
        "# TYPE a histogram\na_bucket{le=\"1\"} 2\na_bucket{le=\"+Inf\"} 1\na_sum 1\na_count 1\n",
        "# TYPE a histogram\na_bucket{le=\"1\"} 1\na_bucket{le=\"+Inf\"} 2\na_sum 1\na_count 1\n",
        "# TYPE a histogram\na_bucket{le=\"+Inf\"} 1\na_count 1\n",
    ]) func `refuses what is no page`(_ text: String) {
        #expect(throws: MetricsText.Fault.self) { try MetricsText(text) }
    }

    @Test func `reads what is one`() throws {
        let page = try MetricsText(
            "# HELP a x \\\\ y\n# TYPE a histogram\na_bucket{le=\"1\",b=\"\\\"\"} 1\n"
                + "a_bucket{le=\"+Inf\",b=\"\\\"\"} 2\na_sum{b=\"\\\"\"} 1e-3\na_count{b=\"\\\"\"} 2\n")
        #expect(page.value("a_sum", ["b": "\""]) == 0.001)
    }
}
