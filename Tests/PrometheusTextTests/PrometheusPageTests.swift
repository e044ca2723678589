import CoreMetrics
import PrometheusText
import Testing
import WireTesting

@Suite struct `The page for Prometheus` {
    private let registry = PrometheusRegistry(help: ["a_total": "First\nline, and a \\."])

    private func page() throws -> MetricsText {
        try MetricsText(String(decoding: registry.page(), as: UTF8.self))
    }

    @Test func `is empty where nothing is measured`() {
        #expect(registry.page() == [])
    }

    @Test func `has every family once, with its type and all of its series`() throws {
        let labels = [("route", "tables"), ("method", "GET")]
        Counter(label: "a_total", dimensions: labels, factory: registry).increment(by: 2)
        Counter(label: "a_total", dimensions: labels.reversed(), factory: registry).increment()
        Counter(label: "a_total", dimensions: [("route", "api")], factory: registry).increment()
        Gauge(label: "b", factory: registry).record(-1.5)
        Meter(label: "c", factory: registry).increment()
        let page = try page()
        #expect(page.types == ["a_total": "counter", "b": "gauge", "c": "gauge"])
        #expect(page.value("a_total", ["route": "tables", "method": "GET"]) == 3)
        #expect(page.value("a_total", ["route": "api"]) == 1)
        #expect(page.value("b") == -1.5)
        #expect(page.value("c") == 1)
        #expect(page.samples.count == 4)
    }

    @Test(arguments: [#"a"b"#, #"a\b"#, "a\nb", #"\""#, "é ü,}={", ""])
    func `escapes what a label's value may hold`(_ value: String) throws {
        Gauge(label: "g", dimensions: [("l", value), ("m", "x")], factory: registry).record(1)
        #expect(try page().value("g", ["l": value, "m": "x"]) == 1)
    }

    @Test(arguments: [
        ("http.requests", "http_requests"), ("9lives", "_9lives"), ("", "_"), ("é", "__"), ("a:b", "a:b"),
    ])
    func `gives every name a form that Prometheus takes`(_ label: String, _ name: String) throws {
        Gauge(label: label, dimensions: [(label, "x")], factory: registry).record(1)
        #expect(try page().samples.map(\.name) == [name])
    }

    @Test(
        arguments: [
            (0, "0"), (1_700_000_000.123, "1700000000.123"), (-2, "-2"), (1e-7, "1e-07"), (1e300, "1e+300"),
            (.infinity, "+Inf"), (-.infinity, "-Inf"), (.nan, "NaN"),
        ] as [(Double, String)])
    func `writes numbers as Prometheus reads them`(_ value: Double, _ text: String) throws {
        Gauge(label: "g", factory: registry).record(value)
        #expect(String(decoding: registry.page(), as: UTF8.self) == "# TYPE g gauge\ng \(text)\n")
        #expect(throws: Never.self) { try page() }
    }

    @Test func `a duration counts in its bucket and in all above, and a bound belongs to its bucket`() throws {
        let timer = Timer(label: "d_seconds", dimensions: [("route", "api")], factory: registry)
        for duration in [0, 100_000, 100_001, 3_000_000_000, 11_000_000_000] as [Int64] {
            timer.recordNanoseconds(duration)
        }
        let page = try page()
        func bucket(_ bound: String) -> Double? { page.value("d_seconds_bucket", ["route": "api", "le": bound]) }
        #expect(bucket("0.0001") == 2)
        #expect(bucket("0.00025") == 3)
        #expect(bucket("2.5") == 3)
        #expect(bucket("5") == 4)
        #expect(bucket("10") == 4)
        #expect(bucket("+Inf") == 5)
        #expect(page.value("d_seconds_count", ["route": "api"]) == 5)
        #expect(page.value("d_seconds_sum", ["route": "api"]) == 14.000_200_001)
    }

    @Test func `a family has one type, whatever is asked for under its name`() throws {
        let counter = Counter(label: "x", factory: registry)
        counter.increment()
        Gauge(label: "x", factory: registry).record(7)
        #expect(try page().types == ["x": "counter"])
        #expect(try page().value("x") == 1)
        counter.destroy()
        #expect(registry.page() == [])
    }

    @Test func `nothing is lost when many count at once`() async throws {
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    // Each with a handle of its own, and a page now and then.
                    let counter = Counter(label: "n_total", factory: registry)
                    let timer = Timer(label: "t_seconds", factory: registry)
                    for number in 0..<1_000 {
                        counter.increment()
                        timer.recordNanoseconds(Int64(number))
                        if number.isMultiple(of: 250) { #expect(throws: Never.self) { try page() } }
                    }
                }
            }
        }
        #expect(try page().value("n_total") == 8_000)
        #expect(try page().value("t_seconds_count") == 8_000)
    }
}
